package code

import (
	"crypto/sha256"
	"runtime"
	"sync"
	"weak"

	"github.com/go-acap/acap/kernel"
)

// Code is machine code that all steps with equal kernels share, whatever program they belong to:
// the layers of a model and the steps of a loop have it once.
type Code struct {
	kernel.Code
	key   [sha256.Size]byte
	users int           // guarded by codes.mu; the last one closes it
	ready chan struct{} // closed when the rest is known
	err   error
	// fallbacks are why the code, or a part of it, is portable Go.
	fallbacks []error
}

// codes are those in use. A program that nobody closes is left to the collector, and so is its code.
var codes = struct {
	mu   sync.Mutex
	list map[[sha256.Size]byte]weak.Pointer[Code]
}{list: map[[sha256.Size]byte]weak.Pointer[Code]{}}

// forgetCode removes the entry of a code that has gone.
func forgetCode(key [sha256.Size]byte) {
	codes.mu.Lock()
	defer codes.mu.Unlock()
	if w, ok := codes.list[key]; ok && w.Value() == nil {
		delete(codes.list, key)
	}
}

// Of returns the code of a kernel, compiled if no program has it yet; one that another goroutine compiles
// may not be ready. Who gets it releases it.
func Of(k kernel.Kernel) *Code {
	key := keyOf(k)
	codes.mu.Lock()
	c := codes.list[key].Value()
	if c != nil {
		c.users++
		codes.mu.Unlock()
		return c
	}
	c = &Code{key: key, users: 1, ready: make(chan struct{})}
	codes.list[key] = weak.Make(c)
	codes.mu.Unlock()
	runtime.AddCleanup(c, forgetCode, key)
	c.Code, c.err = compile(k, key, &c.fallbacks)
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

// Release ends a use.
func (c *Code) Release() {
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

// Wait returns the code, or why there is none, when it is known. The error is the one of the back end.
func (c *Code) Wait() (kernel.Code, error) {
	<-c.ready
	return c.Code, c.err
}

// Fallbacks waits for the code and returns why it, or a part of it, is portable Go.
func (c *Code) Fallbacks() []error {
	<-c.ready
	return c.fallbacks
}

// InUse returns how many codes there are.
func InUse() int {
	codes.mu.Lock()
	defer codes.mu.Unlock()
	return len(codes.list)
}
