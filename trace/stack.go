package trace

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/go-acap/acap/ops"
)

// depth is how many return addresses a site keeps. It must reach the user's line
// from Record, through the tensor layers: about five frames, and some more for
// layers that call one another. The assembly knows the number, too.
const depth = 12

// text is an address in the program's code: what is relative to it takes half the space.
var text = reflect.ValueOf(Internal).Pointer()

// place is where a call is recorded.
type place struct {
	callers [depth]int32 // return addresses, relative to text
	scope   *Scope
}

// hash returns a hash of the place. It does not wait for that of the call, which is computed beside it.
func (p *place) hash() ops.Hash {
	pair := func(i int) uint64 { return uint64(uint32(p.callers[i])) | uint64(p.callers[i+1])<<32 }
	h := ops.Hash{Lo: pair(0), Hi: pair(2)}.Join(ops.Hash{Lo: pair(4), Hi: pair(6)}).
		Join(ops.Hash{Lo: pair(8), Hi: pair(10)})
	if p.scope != nil {
		h = h.Join(p.scope.hash)
	}
	return h
}

// Here runs f while calls that this goroutine records are credited to who called Here,
// however deep f makes them.
func Here(f func()) {
	if currentMode().placed {
		f()
		return
	}
	var callers [depth]int32
	walk(&callers)
	defer changeMode(func(m *mode) { m.placed, m.place.callers = true, callers })()
	f()
}

// Caller returns the source line that recorded the node: the innermost one
// outside the packages that record on behalf of others.
func (n *Node) Caller() (file string, line int) { return n.site.place.line() }

func (p *place) line() (file string, line int) {
	var pcs []uintptr
	for _, pc := range p.callers {
		if pc == 0 {
			break
		}
		pcs = append(pcs, text+uintptr(pc))
	}
	if len(pcs) == 0 {
		return "", 0
	}
	f := User(runtime.CallersFrames(pcs).Next)
	return f.File, f.Line
}

// User returns the innermost of some frames, innermost first, that is the user's, and
// neither of packages that call on behalf of others, nor of reflect and fmt: the
// zero frame if the user's code is interpreted, as in a notebook, where no frame has its
// line, and the outermost frame if none is the user's.
func User(next func() (f runtime.Frame, more bool)) runtime.Frame {
	for {
		f, more := next()
		switch {
		case strings.HasPrefix(f.Function, interpreter):
			return runtime.Frame{}
		case !Internal(f) && !strings.HasPrefix(f.Function, "reflect.") && !strings.HasPrefix(f.Function, "fmt."), !more:
			return f
		}
	}
}

// interpreter is the package that runs the code of notebooks.
const interpreter = "github.com/cosmos72/gomacro/"

// recorders are the packages whose lines are not the user's.
var recorders = []string{"tensor.", "tensor/nn.", "tensor/optim.", "tensor/data.", "tensor/train.",
	"tensor/distributed.", "device.", "device/acap.", "lazy.", "ops.", "trace."}

// Internal reports whether a frame belongs to the packages that record on behalf
// of others. Their tests count as users.
func Internal(f runtime.Frame) bool {
	if strings.HasPrefix(f.Function, "runtime.") || f.Function == "" {
		return true
	}
	name, ok := strings.CutPrefix(f.Function, "github.com/go-acap/acap/")
	if !ok || strings.HasSuffix(f.File, "_test.go") {
		return false
	}
	for _, p := range recorders {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
