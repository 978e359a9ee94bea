package engine

import (
	"crypto/sha256"
	"runtime"
	"sync"
	"weak"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
)

// code is machine code that all steps with equal kernels share, whatever program they belong to:
// the layers of a model and the steps of a loop have it once.
type code struct {
	kernel.Code
	key   [sha256.Size]byte
	users int           // guarded by codes.mu; the last one closes it
	ready chan struct{} // closed when the rest is known
	err   error
}

// codes are those in use. A program that nobody closes is left to the collector, and so is its code.
var codes = struct {
	mu   sync.Mutex
	list map[[sha256.Size]byte]weak.Pointer[code]
}{list: map[[sha256.Size]byte]weak.Pointer[code]{}}

// forgetCode removes the entry of a code that has gone.
func forgetCode(key [sha256.Size]byte) {
	codes.mu.Lock()
	defer codes.mu.Unlock()
	if w, ok := codes.list[key]; ok && w.Value() == nil {
		delete(codes.list, key)
	}
}

// codeOf returns the code of a kernel, compiled if no program has it yet; one that another goroutine compiles
// may not be ready. Who gets it releases it.
func codeOf(k kernel.Kernel) *code {
	key := keyOf(k)
	codes.mu.Lock()
	c := codes.list[key].Value()
	if c != nil {
		c.users++
		codes.mu.Unlock()
		return c
	}
	c = &code{key: key, users: 1, ready: make(chan struct{})}
	codes.list[key] = weak.Make(c)
	codes.mu.Unlock()
	runtime.AddCleanup(c, forgetCode, key)
	c.Code, c.err = native.Compile(k)
	close(c.ready)
	return c
}

// keyOf identifies a kernel.
func keyOf(k kernel.Kernel) [sha256.Size]byte {
	data := keys.Get().(*[]byte)
	*data = kernel.AppendKey((*data)[:0], k)
	key := sha256.Sum256(*data)
	keys.Put(data)
	return key
}

// keys has memory for the bytes of keys.
var keys = sync.Pool{New: func() any { return new([]byte) }}

// release ends a use.
func (c *code) release() {
	codes.mu.Lock()
	c.users--
	last := c.users == 0
	if last && codes.list[c.key].Value() == c {
		delete(codes.list, c.key)
	}
	codes.mu.Unlock()
	if last && c.Code != nil {
		c.Code.Close()
	}
}

// generate makes the code of the steps, on several cores unless the back end is the caller's.
func (p *Program) generate(opts *Options) error {
	if opts.Backend == nil {
		parallel.For(len(p.steps), func(i int) { p.steps[i].generate(nil) })
	} else {
		for _, s := range p.steps {
			s.generate(opts.Backend)
		}
	}
	return p.generated()
}

// generated waits for the code of all steps, and returns why one has none, the first if there are several.
func (p *Program) generated() error {
	for _, s := range p.steps {
		if s.shares != nil {
			<-s.shares.ready
			s.code, s.failed = s.shares.Code, s.shares.err
		}
		if s.failed != nil {
			return &Error{Op: s.from[0].op, Loc: s.from[0].loc, Message: s.failed.Error(), Cause: s.failed}
		}
	}
	return nil
}

// generate makes the code of a step that has a kernel, by the caller's back end if there is one. Otherwise it
// is there when [Program.generated] returns: a goroutine that has to wait for it makes other code meanwhile.
func (s *step) generate(backend func(kernel.Kernel) (kernel.Code, error)) {
	switch {
	case s.kernel == nil:
	case backend != nil:
		s.code, s.failed = backend(s.kernel)
	default:
		s.shares = codeOf(s.kernel)
	}
}

// free ends the use of the step's code.
func (s *step) free() {
	switch {
	case s.shares != nil:
		s.shares.release()
	case s.code != nil:
		s.code.Close()
	}
}
