package torchscript

// Computes reports whether programs may call a function by its base name ("len", "sym_size"), although package ops
// has no operator of the name: a function of the language, or one that is said by operators.
func Computes(name string) bool {
	for _, table := range []map[string]builtin{languageBuiltins, tensorBuiltins, listBuiltins, textBuiltins} {
		if table[name] != nil {
			return true
		}
	}
	if substitutes[name] != nil || checks[name] || nodeFunctions[name] || typesByName[name].Valid() {
		return true
	}
	for _, args := range [][]value{{1, 2}, {0.5, 2.0}, {1}, {0.5}, {"a", "b"}, {true}} {
		if _, ok, err := arithmetic(name, args); ok || err != nil {
			return true
		}
	}
	return false
}

// nodeFunctions are those that programs of torch.export call and that runNode computes.
var nodeFunctions = map[string]bool{"sym_size": true, "sym_numel": true, "sym_stride": true, "sym_storage_offset": true,
	"_assert_scalar": true, "_assert_async": true, "sym_constrain_range": true, "sym_constrain_range_for_size": true,
	"lift_fresh_copy": true}
