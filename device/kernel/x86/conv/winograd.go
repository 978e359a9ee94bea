package conv

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/device/kernel/x86/epilogue"
	"github.com/go-acap/acap/device/kernel/x86/exec"
	"github.com/go-acap/acap/device/kernel/x86/gemm"
	"github.com/go-acap/acap/tensor/dtype"
)

// places is the number of elements of a transformed tile: 4×4.
const places = 16

// winograd is a 3×3 convolution with stride 1 by Winograd's F(2×2, 3×3) (Lavin and Gray, Fast
// Algorithms for Convolutional Neural Networks, 2016): 16 multiplications give 4 elements of the
// result instead of 36. The first phase transforms the input, channel by channel, into 16 matrices
// of channels by tiles; a unit multiplies them with the transformed filters of some output channels,
// for some rows of tiles, and transforms back.
type winograd struct {
	*kernel.Convolution
	features     cpu.Features
	tileRows     int // of the image
	tileCols     int
	tiles        int // distance of channels in the transformed input, in elements
	filterRow    int // distance of output channels in the transformed filters, in elements
	blockRows    int // rows of tiles in a unit
	blocks       int
	channels     int // output channels in a unit
	channelUnits int
	exec         *exec.Code
	listing      *asm.Code
	products     [2][2]kernel.Code // by last block of rows, last unit of channels
	ports        [][4]int          // strides in bytes
	entry        struct{ input, output int }
	workers      sync.Pool
}

// compileWinograd compiles c if it is one of those that gain from it.
func compileWinograd(c *kernel.Convolution, f cpu.Features) (kernel.Code, error) {
	if !winogradWins(c, f) {
		return nil, fmt.Errorf("%w: not for Winograd", ErrUnsupported)
	}
	epi, err := epilogue.New(&c.Epilogue, 2, 2, 3, c.Acc, f, f.Level.VectorRegisters()-4)
	if err != nil {
		return nil, err
	}
	g := &winograd{
		Convolution: c, features: f, tileRows: (c.P + 1) / 2, tileCols: (c.Q + 1) / 2,
		filterRow: oddLines(c.C),
	}
	g.tiles = oddLines(g.tileRows*g.tileCols + winogradLanes)
	g.chooseUnits()
	g.ports = (&plan{Convolution: c}).portStrides()
	if err := g.compileProducts(); err != nil {
		return nil, err
	}
	a := asm.New()
	t := &transformer{winograd: g, a: a, epi: epi}
	g.entry.input = t.input()
	g.entry.output = t.output()
	g.listing = a.Assemble()
	if g.exec, err = exec.Load(g.listing.Bytes); err != nil {
		g.closeProducts()
		return nil, err
	}
	g.workers.New = func() any {
		return &winogradWorker{product: kernel.Args{Ptr: make([]unsafe.Pointer, 3)}}
	}
	return g, nil
}

// winogradWins: constant filters and enough channels on both sides for the transformations to be a
// small part, and tiles for at least a vector.
func winogradWins(c *kernel.Convolution, f cpu.Features) bool {
	one := [2]int{1, 1}
	if f.Level < cpu.AVX512 || c.R != 3 || c.S != 3 || c.Stride != one || c.Dilation != one {
		return false
	}
	if c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32 {
		return false
	}
	if !c.Filter.Const || c.Groups != 1 {
		return false
	}
	if c.X.Strides[3] != 1 || c.X.Strides[2] < 0 || c.X.Strides[2] > 1<<20 || c.X.Strides[1] < 0 {
		return false
	}
	if min(c.Pad[0], c.Pad[1]) < 0 || max(c.Pad[0], c.Pad[1]) > 2 {
		return false
	}
	for _, i := range c.Epilogue.Body {
		if i.Op == kernel.Store && c.Epilogue.Access[i.Port-2].Outer[3] != 1 {
			return false
		}
	}
	if c.C < 32 || c.K < 32 || c.P*c.Q*c.C > 1<<26 {
		return false
	}
	// Estimates in nanoseconds: products at 220 to 240 GFLOP/s, transformed filters read from memory
	// at 20 GB/s, transformed input and sums written and read at 50 GB/s.
	ck := float64(c.C * c.K)
	tiles := float64(((c.P+1)/2*((c.Q+1)/2) + winogradLanes - 1) / winogradLanes * winogradLanes)
	direct := 2 * 9 * ck * float64(c.P*c.Q*c.N) / 240
	products := 2 * places * ck * tiles * float64(c.N) / 220
	filters := places * f32 * ck / 20
	transforms := 2 * places * f32 * float64(c.C+c.K) * tiles * float64(c.N) / 50
	return products+filters+transforms < direct
}

// oddLines rounds n elements up to an odd number of cache lines, so that rows do not collide.
func oddLines(n int) int { return ((n+15)/16 | 1) * 16 }

const winogradLanes = 16

// chooseUnits: the sums of a unit should stay in the second-level cache.
func (g *winograd) chooseUnits() {
	most := g.features.L2 / 2 / (places * f32) // channels × tiles
	g.blockRows = split(g.tileRows, max(1, min(g.tileRows, 256/g.tileCols)))
	g.blocks = (g.tileRows + g.blockRows - 1) / g.blockRows
	g.channels = split(g.K, max(16, most/(g.blockRows*g.tileCols)))
	g.channelUnits = (g.K + g.channels - 1) / g.channels
}

// sumRow returns the distance of output channels in the sums of a unit, in elements.
func (g *winograd) sumRow() int { return oddLines(g.blockRows*g.tileCols + winogradLanes) }

// inputPlace and sumPlace return the distance of places in the transformed input and in the sums.
// A transformation touches all places at once, so these must not collide in the cache either.
func (g *winograd) inputPlace() int { return oddLines(g.C * g.tiles) }
func (g *winograd) sumPlace() int   { return oddLines(g.channels * g.sumRow()) }

// compileProducts compiles the products of filters and input, a batch of 16, for the sizes of units
// that occur.
func (g *winograd) compileProducts() error {
	rows := [2]int{g.blockRows, g.tileRows - (g.blocks-1)*g.blockRows}
	channels := [2]int{g.channels, g.K - (g.channelUnits-1)*g.channels}
	for i := range 2 {
		for j := range 2 {
			if i == 0 && g.blocks == 1 || j == 0 && g.channelUnits == 1 {
				continue
			}
			code, err := gemm.Compile(g.product(channels[j], rows[i]*g.tileCols), g.features, nil)
			if err == nil {
				_, packs := code.(kernel.Packer)
				_, prepares := code.(kernel.Prologue)
				if packs || prepares {
					code.Close()
					err = fmt.Errorf("%w: a product that is not done in place", ErrUnsupported)
				}
			}
			if err != nil {
				g.closeProducts()
				return err
			}
			g.products[i][j] = code
		}
	}
	return nil
}

func (g *winograd) product(channels, tiles int) *kernel.Contraction {
	port := func(n int, write bool) kernel.Port {
		return kernel.Port{DType: dtype.F32, Len: n, Write: write}
	}
	filterPlace, inputPlace, sumPlace := g.K*g.filterRow, g.inputPlace(), g.sumPlace()
	return &kernel.Contraction{
		Name: g.Name, Batch: []int{places}, M: channels, N: tiles, K: g.C, Acc: dtype.F32,
		A: kernel.Matrix{Port: port(places*filterPlace, false), Batch: []int{filterPlace},
			Row: g.filterRow, Col: 1},
		B: kernel.Matrix{Port: port(places*inputPlace, false), Batch: []int{inputPlace},
			Row: g.tiles, Col: 1},
		Epilogue: kernel.Epilogue{
			Access: []kernel.Access{
				{Port: port(places*sumPlace, true), Outer: []int{sumPlace, g.sumRow(), 1}},
			},
			Body: kernel.Body{
				{Op: kernel.Input, Type: dtype.F32}, {Op: kernel.Store, Type: dtype.F32, Port: 2},
			},
		},
	}
}

func (g *winograd) closeProducts() {
	for _, row := range g.products {
		for _, c := range row {
			if c != nil {
				c.Close()
			}
		}
	}
}

// Units implements kernel.Code.
func (g *winograd) Units() int { return g.N * g.blocks * g.channelUnits }

// UnitNanos implements kernel.Code.
func (g *winograd) UnitNanos() float64 {
	return float64(g.channels*g.blockRows*g.tileCols) * (float64(g.C)*places*2/220 + 4)
}

// Scratch implements kernel.Code.
func (g *winograd) Scratch() int { return g.sumBytes() + g.productScratch() }

func (g *winograd) sumBytes() int { return places*g.sumPlace()*f32 + 64 }

func (g *winograd) productScratch() int {
	most := 0
	for _, row := range g.products {
		for _, c := range row {
			if c != nil {
				most = max(most, c.Scratch())
			}
		}
	}
	return most
}

// Listing implements kernel.Code.
func (g *winograd) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; Winograd F(2×2, 3×3), %d×%d tiles, units of %d rows by %d channels\n",
		g.tileRows, g.tileCols, g.blockRows, g.channels)
	g.listing.WriteTo(&b)
	b.WriteString(g.products[1][1].Listing())
	return b.String()
}

// Close implements kernel.Code.
func (g *winograd) Close() {
	g.exec.Close()
	g.closeProducts()
}

// PackedBytes implements kernel.Packer.
func (g *winograd) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	return places * g.K * g.filterRow * f32
}

// Pack implements kernel.Packer: it transforms the filters, in f64.
func (g *winograd) Pack(_ int, dst, src unsafe.Pointer) {
	st := g.Filter.Strides
	out := unsafe.Slice((*float32)(dst), places*g.K*g.filterRow)
	for k := range g.K {
		for c := range g.C {
			var w [3][3]float64
			for r := range 3 {
				for s := range 3 {
					at := g.Filter.Offset + k*st[0] + c*st[1] + r*st[2] + s*st[3]
					w[r][s] = float64(*(*float32)(unsafe.Add(src, at*f32)))
				}
			}
			for place, v := range transformFilter(&w) {
				out[(place*g.K+k)*g.filterRow+c] = float32(v)
			}
		}
	}
}

// transformFilter returns G·w·Gᵀ with G = [1 0 0; ½ ½ ½; ½ -½ ½; 0 0 1].
func transformFilter(w *[3][3]float64) (u [places]float64) {
	apply := func(x, y, z float64) [4]float64 {
		return [4]float64{x, (x + y + z) / 2, (x - y + z) / 2, z}
	}
	var rows [3][4]float64
	for r := range 3 {
		rows[r] = apply(w[r][0], w[r][1], w[r][2])
	}
	for s := range 4 {
		for r, v := range apply(rows[0][s], rows[1][s], rows[2][s]) {
			u[4*r+s] = v
		}
	}
	return u
}

// Shared implements kernel.Prologue.
func (g *winograd) Shared() int { return g.N*places*g.inputPlace()*f32 + 64 }

// PrologueUnits implements kernel.Prologue.
func (g *winograd) PrologueUnits() int { return g.N * g.C }

// RunPrologue implements kernel.Prologue.
func (g *winograd) RunPrologue(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*winogradWorker)
	shared := uintptr(args.Ptr[len(args.Ptr)-1])
	for u := lo; u < hi; u++ {
		n, c := u/g.C, u%g.C
		x := g.X.Offset + n*g.X.Strides[0] + c*g.X.Strides[1]
		w.src = uintptr(args.Ptr[0]) + uintptr(x*f32)
		w.dst = shared + uintptr((n*places*g.inputPlace()+c*g.tiles)*f32)
		g.exec.CallAt(g.entry.input, unsafe.Pointer(&w.transformArgs))
	}
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

// winogradWorker is what a goroutine needs.
type winogradWorker struct {
	transformArgs
	product kernel.Args
}

// Run implements kernel.Code.
func (g *winograd) Run(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*winogradWorker)
	for u := lo; u < hi; u++ {
		g.unit(w, args, u)
	}
	clear(w.product.Ptr)
	w.product.Scratch = nil
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

func (g *winograd) unit(w *winogradWorker, args *kernel.Args, u int) {
	k := u % g.channelUnits * g.channels
	u /= g.channelUnits
	block, n := u%g.blocks, u/g.blocks
	row := block * g.blockRows
	rows, channels := min(g.blockRows, g.tileRows-row), min(g.channels, g.K-k)
	last := func(end bool) int {
		if end {
			return 1
		}
		return 0
	}
	product := g.products[last(block == g.blocks-1)][last(k+g.channels >= g.K)]
	input := (n*places*g.inputPlace() + row*g.tileCols) * f32
	p := &w.product
	p.Ptr[0] = unsafe.Add(args.Packed[1], k*g.filterRow*f32)
	p.Ptr[1] = unsafe.Add(args.Ptr[len(args.Ptr)-1], input)
	p.Ptr[2] = args.Scratch
	p.Scratch = unsafe.Add(args.Scratch, (g.sumBytes()+63)&^63-64)
	product.Run(p, 0, product.Units())
	w.rows, w.half = rows, 0
	if (row+rows)*2 > g.P {
		w.rows, w.half = rows-1, 1
	}
	for c := range channels {
		w.src = uintptr(args.Scratch) + uintptr(c*g.sumRow()*f32)
		for i, s := range g.ports {
			a := &g.Epilogue.Access[i]
			at := a.Offset*a.DType.Size() + n*s[0] + (k+c)*s[1] + 2*row*s[2]
			w.ports[i] = uintptr(args.Ptr[2+i]) + uintptr(at)
		}
		g.exec.CallAt(g.entry.output, unsafe.Pointer(&w.transformArgs))
	}
}
