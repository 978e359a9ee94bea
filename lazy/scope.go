package lazy

import "github.com/go-acap/acap/trace"

// Scope runs f. Calls that this goroutine records meanwhile carry a name, such as the name of a layer, and reports show
// the name beside the lines of the calls. Scopes nest: "net/layer1". Goroutines that f starts have no scope.
func Scope(name string, f func()) {
	trace.Need("scope", "the function", f)
	trace.Within(name, f)
}
