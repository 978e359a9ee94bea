package lazy

import "github.com/go-acap/acap/trace"

// Scope runs f while calls that this goroutine records carry a name, such as that of a
// layer, which reports show beside their lines. Scopes nest: "net/layer1". Goroutines
// that f starts have no scope.
func Scope(name string, f func()) {
	trace.Need("scope", "the function", f)
	trace.Within(name, f)
}
