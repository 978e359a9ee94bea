package trace

import (
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-acap/acap/ops"
)

// text is an address in the program's code: what is relative to it takes half the space.
var text = reflect.ValueOf(Internal).Pointer()

// place is where a call is recorded.
type place struct {
	caller int32 // the innermost return address that is the user's, relative to text; 0 for none
	scope  *Scope
}

// here returns the place of a call that the goroutine records, whether no gradient flows through it, and who notes it,
// or nil.
func here() (p place, m mode) {
	if modes.count.Load() > 0 {
		m = currentMode()
		if p = m.place; m.placed {
			return p, m
		}
	}
	if p.caller = userCaller(); p.caller == 0 {
		p.caller = searchCaller()
	}
	return p, m
}

// mostKnown bounds the return addresses that are known: those that were looked up last, in lists by their last bits.
// A call whose frames all have known ones walks only to the user's, and looks up no name.
const mostKnown = 1 << 14

// betweenPCs are the last 32 bits of return addresses of frames between the user's code and a call.
var betweenPCs [mostKnown]uint32

// userPCs are the last 32 bits of return addresses of frames in the user's code and, above them, the address of the
// user's innermost call there relative to text: another one where functions are inlined.
var userPCs [mostKnown]uint64

func setBetween(pcs []uintptr) {
	for _, pc := range pcs {
		atomic.StoreUint32(&betweenPCs[uint32(pc)%mostKnown], uint32(pc))
	}
}

func setUser(pc, call uintptr) (caller int32) {
	caller = int32(call - text)
	atomic.StoreUint64(&userPCs[uint32(pc)%mostKnown], uint64(caller)<<32|uint64(uint32(pc)))
	return caller
}

// callers tells of all calls that were looked up whether they are in the user's code. A call may be looked up again
// and again, where addresses on the way to it have one place in a list, so looking up allocates nothing.
var callers = struct {
	sync.RWMutex
	user map[uintptr]bool
}{user: map[uintptr]bool{}}

// mostCalls bounds the search for the user's call, mostFrames that for the frames of these calls and of the wrappers
// that the compiler puts before them, which are no calls.
const (
	mostCalls  = 64
	mostFrames = 2 * mostCalls
)

// searchCaller is userCaller for frames that are not all among the known addresses; it adds their addresses. A frame
// stands for the calls of all functions that are inlined there, which have addresses of their own after its own.
func searchCaller() int32 {
	var frame [mostFrames]uintptr
	var call [mostCalls]uintptr
	frames, calls := frame[:walk(&frame)], call[:runtime.Callers(2, call[:])]
	at := 0
	for _, pc := range calls {
		if i := slices.Index(frames[at:], pc); i > 0 {
			setBetween(frames[at : at+i])
			at += i
		}
		if isUser(pc) {
			return setUser(frames[at], pc)
		}
	}
	last := calls[len(calls)-1]
	if len(calls) < mostCalls {
		return setUser(frames[at], last)
	}
	return int32(last - text)
}

// isUser reports whether a call is in the user's code, which is looked up once.
func isUser(pc uintptr) bool {
	callers.RLock()
	is, ok := callers.user[pc]
	callers.RUnlock()
	if !ok {
		f := User(runtime.CallersFrames([]uintptr{pc}).Next)
		is = f.PC == 0 || !between(f)
		callers.Lock()
		callers.user[pc] = is
		callers.Unlock()
	}
	return is
}

// hash returns a hash of the place.
func (p *place) hash() ops.Hash {
	h := ops.Hash{Lo: uint64(p.caller), Hi: ^uint64(p.caller)}
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
	p, _ := here()
	defer changeMode(func(m *mode) { m.placed, m.place.caller = true, p.caller })()
	f()
}

// Caller returns the source line that recorded the node: the innermost one
// outside the packages that record on behalf of others.
func (n *Node) Caller() (file string, line int) { return n.site.place.line() }

func (p *place) line() (file string, line int) {
	if p.caller == 0 {
		return "", 0
	}
	f := User(runtime.CallersFrames([]uintptr{text + uintptr(p.caller)}).Next)
	return f.File, f.Line
}

// User returns the user's innermost frame. frames are ordered from the innermost on. Frames of packages that call on
// behalf of others, of reflect and of fmt are not the user's. User returns the zero frame if the user's code is
// interpreted, as in a notebook, where no frame has its line, and the outermost frame if no frame is the user's.
func User(next func() (f runtime.Frame, more bool)) runtime.Frame {
	for {
		f, more := next()
		switch {
		case strings.HasPrefix(f.Function, interpreter):
			return runtime.Frame{}
		case !between(f), !more:
			return f
		}
	}
}

// between reports whether a frame is between the user's frame and the frame of a call.
func between(f runtime.Frame) bool {
	return Internal(f) || strings.HasPrefix(f.Function, "reflect.") || strings.HasPrefix(f.Function, "fmt.")
}

// interpreter is the package that runs the code of notebooks.
const interpreter = "github.com/cosmos72/gomacro/"

// recorders are the packages whose lines are not the user's.
var recorders = []string{"tensor.", "tensor/nn.", "tensor/optim.", "tensor/data.", "tensor/train.",
	"tensor/distributed.", "device.", "device/acap.", "lazy.", "ops.", "trace.", "translate/importer.", "translate/importer/onnx.",
	"translate/importer/torchscript."}

// Internal reports whether a frame belongs to the packages that record on behalf
// of others. Their tests count as users.
func Internal(f runtime.Frame) bool {
	if strings.HasPrefix(f.Function, "runtime.") || f.Function == "" {
		return true
	}
	if strings.HasSuffix(f.File, "_test.go") {
		return false
	}
	if file, ok := strings.CutPrefix(f.File, folder); ok && recorder(path.Dir(file)+".") {
		return true
	}
	name, ok := strings.CutPrefix(f.Function, "github.com/go-acap/acap/")
	return ok && recorder(name)
}

func recorder(name string) bool {
	return slices.ContainsFunc(recorders, func(p string) bool { return strings.HasPrefix(name, p) })
}

// folder is where the module's files lie. A closure whose maker was inlined has the name of a function of the user's,
// and its own file.
var folder = func() string {
	_, file, _, _ := runtime.Caller(0)
	return strings.TrimSuffix(file, "trace/stack.go")
}()
