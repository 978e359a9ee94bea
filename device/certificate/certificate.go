package certificate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// Line is a certificate's line for one kernel, or for one result of the program.
type Line struct {
	Name   string // of the kernel, or "result 0"
	Digest string // 16 digits of a SHA-256
}

// String returns the line as it stands in a file.
func (l Line) String() string { return l.Digest + " " + l.Name }

// Parse reads a line as [Line.String] writes one. Another text is an error.
func Parse(text string) (Line, error) {
	digest, name, _ := strings.Cut(text, " ")
	if b, err := hex.DecodeString(digest); err != nil || len(b) != digestBytes || name == "" {
		return Line{}, fmt.Errorf("no line of a certificate, which is %d hexadecimal digits and a name", 2*digestBytes)
	}
	return Line{name, digest}, nil
}

// Of runs a program in the reproducible way on some inputs, of the types that it takes, and returns a line for every
// kernel that ran, in the order of their first runs, and one for every result. A kernel that runs several times has
// the digest of all its runs. Errors are those of compiling and of the run.
func Of(ctx context.Context, module *mlir.Operation, config device.Config, inputs []*buf.Buffer) ([]Line, error) {
	c := &certifier{}
	exe, err := compiler.CompileFor(ctx, module, backend{compiler.Native{Code: c.compile}}, config.WithReproducible(true).WithStrict(true))
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	results, err := exe.Run(ctx, inputs)
	if err != nil {
		return nil, err
	}
	var lines []Line
	for _, k := range c.ran {
		lines = append(lines, Line{k.name, digits(k.hash)})
	}
	for i, b := range results {
		h := sha256.New()
		for at := range b.Len() {
			element(h, b.DType, unsafe.Pointer(&b.Bytes()[at*b.DType.Size()]))
		}
		lines = append(lines, Line{fmt.Sprintf("result %d", i), digits(h)})
	}
	return lines, nil
}

// digestBytes is how much of a SHA-256 a line has.
const digestBytes = 8

func digits(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:digestBytes]) }

// backend is the engine with kernels that note what they write.
type backend struct{ compiler.Native }

// Name implements [device.Backend].
func (backend) Name() string { return "certify" }

// certifier compiles kernels that note what they write.
type certifier struct {
	mu  sync.Mutex
	ran []*code
}

func (c *certifier) compile(k kernel.Kernel) (kernel.Code, error) {
	inner, err := native.Reproducible(k)
	if err != nil {
		return nil, err
	}
	return &code{certifier: c, kernel: k, inner: inner, hash: sha256.New()}, nil
}

// code is a kernel that notes what it writes. It is one unit of work, and kernels run one after the other.
type code struct {
	kernel.OnePhase
	*certifier
	kernel kernel.Kernel
	inner  kernel.Code
	name   string
	hash   hash.Hash
}

func (c *code) Units() int         { return min(c.inner.Units(), 1) }
func (c *code) UnitNanos() float64 { return c.inner.UnitNanos() * float64(c.inner.Units()) }
func (c *code) Scratch() int       { return c.inner.Scratch() }
func (c *code) Listing() string    { return c.inner.Listing() }
func (c *code) Close()             { c.inner.Close() }

// Run implements [kernel.Code]: it packs operands and runs the first phases itself.
func (c *code) Run(args *kernel.Args, _, _ int) {
	own := &kernel.Args{Ptr: args.Ptr, Packed: make([]unsafe.Pointer, len(args.Ptr)), Scratch: args.Scratch}
	for i := range args.Ptr {
		if n := c.inner.PackedBytes(i); n > 0 {
			own.Packed[i] = aligned(n)
			c.inner.Pack(i, own.Packed[i], args.Ptr[i])
		}
	}
	if n := c.inner.Shared(); n > 0 {
		own.Ptr = append(append([]unsafe.Pointer(nil), args.Ptr...), aligned(n))
	}
	kernel.RunAll(c.inner, own)
	args.Fault |= own.Fault
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.name == "" {
		c.name = fmt.Sprintf("kernel %d %s", len(c.ran), title(c.kernel))
		c.ran = append(c.ran, c)
	}
	c.write(args.Ptr)
}

func aligned(n int) unsafe.Pointer {
	s := make([]byte, n+128)
	p := unsafe.Pointer(&s[0])
	return unsafe.Add(p, -int(uintptr(p))&63)
}

// title is the name of a kernel of the kinds that have one.
func title(k kernel.Kernel) string {
	switch k := k.(type) {
	case *kernel.Nest:
		return k.Name
	case *kernel.Contraction:
		return k.Name
	case *kernel.Convolution:
		return k.Name
	}
	return fmt.Sprintf("%T", k)
}

// write adds what the kernel has written to its digest.
func (c *code) write(ptr []unsafe.Pointer) {
	switch k := c.kernel.(type) {
	case *kernel.Nest:
		for i, a := range k.Access {
			if a.Write {
				c.walk(ptr[i], a.DType, a.Offset, append(append([]int(nil), k.Outer...), k.Inner...), append(append([]int(nil), a.Outer...), a.Inner...))
			}
		}
	case *kernel.Contraction:
		c.epilogue(ptr, &k.Epilogue, append(append([]int(nil), k.Batch...), k.M, k.N))
	case *kernel.Convolution:
		c.epilogue(ptr, &k.Epilogue, []int{k.N, k.K, k.P, k.Q})
	default:
		for i, p := range k.Ports() {
			if p.Write {
				c.walk(ptr[i], p.DType, 0, []int{p.Len}, []int{1})
			}
		}
	}
}

func (c *code) epilogue(ptr []unsafe.Pointer, e *kernel.Epilogue, extents []int) {
	for i, a := range e.Access {
		if a.Write {
			c.walk(ptr[2+i], a.DType, a.Offset, extents, a.Outer)
		}
	}
}

// walk adds the elements at all points of some loops. Loops along which nothing moves are left out.
func (c *code) walk(p unsafe.Pointer, d dtype.DType, at int, extents, strides []int) {
	if len(extents) == 0 {
		element(c.hash, d, unsafe.Add(p, at*d.Size()))
		return
	}
	n := extents[0]
	if strides[0] == 0 {
		n = min(n, 1)
	}
	for i := range n {
		c.walk(p, d, at+i*strides[0], extents[1:], strides[1:])
	}
}

// element adds an element; all NaNs count as one.
func element(h hash.Hash, d dtype.DType, p unsafe.Pointer) {
	var room [8]byte
	bytes := append(room[:0], unsafe.Slice((*byte)(p), d.Size())...)
	switch d {
	case dtype.F32:
		if v := *(*float32)(p); v != v {
			binary.LittleEndian.PutUint32(bytes, math.Float32bits(float32(math.NaN())))
		}
	case dtype.F64:
		if v := *(*float64)(p); v != v {
			binary.LittleEndian.PutUint64(bytes, math.Float64bits(math.NaN()))
		}
	}
	h.Write(bytes)
}
