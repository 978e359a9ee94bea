package passes

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/acap2019"
	"github.com/go-acap/acap/translate/passes/expand"
	"github.com/go-acap/acap/translate/passes/group"
	"github.com/go-acap/acap/translate/passes/inference"
	"github.com/go-acap/acap/translate/passes/lowering"
	"github.com/go-acap/acap/translate/passes/report"
	"github.com/go-acap/acap/translate/passes/simplify"
	"github.com/go-acap/acap/translate/passes/torchmlir"
)

// Pass rewrites an operation, usually a module, in place.
type Pass struct {
	Name   string // as in a pipeline: "canonicalize"
	Doc    string // one line
	Anchor string // the operation that it runs on; "" for any
	// Options may follow the name in braces: "elide{larger-than=10}".
	Options []Option
	// Run does the work. A pass with options has Configure instead.
	Run       func(root *mlir.Operation) error
	Configure func(v Values) func(root *mlir.Operation) error
}

// Option is a number that a pass takes.
type Option struct {
	Name, Doc string
	Default   int
}

// Values are the options of a pass by name.
type Values map[string]int

const onModule = "builtin.module"

// table holds the passes in the order in which a pipeline usually has them.
var table = []Pass{
	{Name: "acap-2019-to-aten", Doc: "turn the dialect that PyTorch/ACAP printed in 2019 into today's", Run: acap2019.From},
	{Name: "torch-to-aten", Doc: "turn torch-mlir's dialect into aten", Anchor: onModule, Run: torchmlir.From},
	{Name: "aten-to-torch", Doc: "turn the aten dialect into torch-mlir's", Anchor: onModule, Run: torchmlir.To},
	{Name: "decompose", Doc: "replace aten operations by their expansions; an expansion into many similar turns becomes a loop",
		Run: func(module *mlir.Operation) error { return lowering.DecomposeIntoLoops(module, nil) }},
	{Name: "partition", Doc: "move what the device can run into functions of their own", Anchor: onModule, Run: group.Partition},
	{Name: "lower-to-linalg", Doc: "lower aten operations to linalg on tensors", Run: lowering.ToLinalg},
	{Name: "expand-acap", Doc: "write the acap dialect out as loops that mlir-opt knows", Run: expand.ACAP},
	{Name: "expand-host", Doc: "write operators that run on the host out as loops that mlir-opt knows", Anchor: onModule, Run: expand.Host},
	{Name: "aten-to-acap-2019", Doc: "turn the aten dialect into what PyTorch/ACAP printed in 2019", Run: acap2019.To},
	{Name: "inline", Doc: "replace calls by the bodies of the functions", Anchor: onModule, Run: simplify.Inline},
	{Name: "symbol-dce", Doc: "remove private functions that nothing refers to", Anchor: onModule, Run: simplify.SymbolDCE},
	{Name: "canonicalize", Doc: "fold constants and identities, remove what becomes dead",
		Options: []Option{{"max-iterations", "how often the operations are visited", simplify.CanonicalizeRounds}},
		Configure: func(v Values) func(*mlir.Operation) error {
			return func(root *mlir.Operation) error { return simplify.CanonicalizeWithin(root, v["max-iterations"]) }
		}},
	{Name: "cse", Doc: "merge equal operations without effects", Run: simplify.CSE},
	{Name: "dce", Doc: "remove unused operations without effects and unreachable blocks", Run: simplify.DCE},
	{Name: "elide", Doc: "replace large constants by placeholders, for reading only",
		Options: []Option{{"larger-than", "the elements that a constant may have", simplify.ElideLarger}},
		Configure: func(v Values) func(*mlir.Operation) error {
			return func(root *mlir.Operation) error { return simplify.Elide(root, v["larger-than"]) }
		}},
	{Name: "aten-layer-name", Doc: "name every aten operation: L2-relu-0", Run: report.NameLayers},
	{Name: "return-elimination", Doc: "let functions fill memory that they are given instead of returning tensors",
		Anchor: onModule, Run: lowering.ReturnElimination},
	{Name: "strip-locations", Doc: "forget where operations come from", Run: simplify.StripLocations},
	{Name: "fold-dropout", Doc: "remove dropout that is off", Run: inference.FoldDropout},
	{Name: "fold-linear", Doc: "join products with transposed weights, and biases, to linear layers", Run: inference.FoldLinear},
	{Name: "fold-batch-norm", Doc: "multiply batch norms with fixed statistics into the weights of the layer before", Run: inference.FoldBatchNorm},
}

// Lowering is the pipeline that the compiler runs.
const Lowering = "acap-lowering"

// Inference is the pipeline that folds what a trained model does not need when it only computes:
// dropout that is off, products that are linear layers, and batch norms with fixed statistics behind
// the convolution or linear layer that gives them their input.
const Inference = "inference"

// pipelines are the named ones.
var pipelines = []Named{
	{Lowering, "bring a module from the aten to the linalg form, as the compiler does",
		"decompose,partition,lower-to-linalg"},
	{"aten-to-linalg", "expand and lower aten operations to linalg on tensors", "decompose,lower-to-linalg"},
	{"constant-fold", "fold constants", "canonicalize"},
	{"acap-cleanup", "inline, fold, merge and remove what is dead", "inline,symbol-dce,canonicalize,cse,dce"},
	{Inference, "fold what a trained model does not need when it only computes", "fold-dropout,fold-linear,fold-batch-norm,dce"},
}

// Named is a pipeline with a name, which stands for its text.
type Named struct{ Name, Doc, Text string }

// Register adds a pass of another package. Call it from an init function; a name that
// is taken is a mistake of the program.
func Register(p Pass) {
	checkName(p.Name)
	table = append(table, p)
}

// RegisterPipeline adds a named pipeline. Call it from an init function.
func RegisterPipeline(n Named) {
	checkName(n.Name)
	pipelines = append(pipelines, n)
}

// checkName panics for a name that is taken, or that no text of a pipeline can have.
func checkName(name string) {
	if name == "" || strings.ContainsAny(name, marks+" \t\n") {
		panic(fmt.Sprintf("BUG: passes: %q cannot be the name of a pass", name))
	}
	if known(name) {
		panic("BUG: passes: " + name + " is registered twice")
	}
}

func known(name string) bool {
	_, ok := Lookup(name)
	return ok || slices.ContainsFunc(pipelines, func(n Named) bool { return n.Name == name })
}

// All lists the passes, in the order in which a pipeline usually has them.
func All() []Pass { return slices.Clone(table) }

// Pipelines lists the named pipelines.
func Pipelines() []Named { return slices.Clone(pipelines) }

// Lookup returns the pass of a name.
func Lookup(name string) (Pass, bool) {
	for _, p := range table {
		if p.Name == name {
			return p, true
		}
	}
	return Pass{}, false
}

// configured returns the pass with its options set, from text such as "larger-than=10".
func (p Pass) configured(text string) (Pass, error) {
	values := Values{}
	for _, o := range p.Options {
		values[o.Name] = o.Default
	}
	for _, field := range strings.Fields(strings.ReplaceAll(text, ",", " ")) {
		name, value, ok := strings.Cut(field, "=")
		if _, has := values[name]; !has {
			return p, fmt.Errorf("passes: pass %s has no option %q; it has %s", p.Name, name, p.optionNames())
		}
		n, err := strconv.Atoi(value)
		if !ok || err != nil || n < 0 {
			return p, fmt.Errorf("passes: option %s of pass %s needs a number, not %q", name, p.Name, value)
		}
		values[name] = n
	}
	if p.Configure != nil {
		p.Run = p.Configure(values)
	}
	return p, nil
}

func (p Pass) optionNames() string {
	if len(p.Options) == 0 {
		return "none"
	}
	names := make([]string, len(p.Options))
	for i, o := range p.Options {
		names[i] = o.Name
	}
	return strings.Join(names, ", ")
}
