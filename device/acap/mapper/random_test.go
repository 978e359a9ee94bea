package mapper_test

import (
	"math/rand/v2"
	"testing"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

var arrays = []string{"npu1", "npu2", "vek280", "vck190", "vck5000"}

// extent is a size from 1 to limit, small ones and powers of two more often.
func extent(r *rand.Rand, limit int) int {
	n := 1 + r.IntN(limit)
	switch r.IntN(3) {
	case 0:
		return 1 + n%17
	case 1:
		for n&(n-1) != 0 {
			n &= n - 1
		}
	}
	return n
}

func pick(r *rand.Rand, types ...dtype.DType) dtype.DType { return types[r.IntN(len(types))] }

// randomKernel is a kernel of any kind.
func randomKernel(r *rand.Rand) *workload.Kernel {
	w := &workload.Kernel{Name: "random"}
	t := pick(r, dtype.BF16, dtype.F32, dtype.I8, dtype.I16)
	stream := func(n int64) workload.Stream { return workload.Stream{DType: t, Elements: n} }
	switch w.Kind = workload.Kind(1 + r.IntN(6)); w.Kind {
	case workload.KindContraction:
		w.Contraction = randomProduct(r, t)
	case workload.KindPointwise:
		n := int64(extent(r, 1<<18))
		w.Pointwise = workload.Pointwise{Elements: n, DType: t, Out: []workload.Stream{stream(n)},
			Ops: workload.Mix{Simple: 2, Transcendental: float64(r.IntN(2))}}
		for range 1 + r.IntN(3) {
			in := stream(n)
			if r.IntN(4) == 0 {
				in.Elements = max(1, n/int64(extent(r, 64)))
			}
			w.Pointwise.In = append(w.Pointwise.In, in)
		}
	case workload.KindNormalize:
		rows, cols := extent(r, 2048), extent(r, 2048)
		if r.IntN(5) == 0 {
			rows, cols = extent(r, 16), 30000+r.IntN(30000) // no core holds a row
		}
		all := stream(int64(rows) * int64(cols))
		w.Normalize = workload.Normalize{Rows: rows, Cols: cols, DType: t, Passes: 1 + r.IntN(3),
			Ops: workload.Mix{Simple: 4}, In: []workload.Stream{all}, Out: []workload.Stream{all}}
		for range r.IntN(3) {
			w.Normalize.In = append(w.Normalize.In, stream(int64(cols)))
		}
		if r.IntN(4) == 0 {
			w.Normalize.Out = []workload.Stream{stream(int64(rows))}
		}
	case workload.KindAttention:
		heads := 1 + r.IntN(8)
		w.Attention = workload.Attention{Batch: 1 + r.IntN(2), Heads: heads, KVHeads: heads,
			Sq: extent(r, 1024), Sk: extent(r, 1024), D: 16 << r.IntN(3), DV: 16 << r.IntN(3),
			Causal: r.IntN(2) == 0, DType: pick(r, dtype.BF16, dtype.F32), Acc: dtype.F32}
		if a := &w.Attention; r.IntN(2) == 0 {
			a.Mask = &workload.Mask{DType: pick(r, dtype.F32, dtype.BF16, dtype.Bool),
				Queries: [2]int{1, a.Sq}[r.IntN(2)],
				Heads:   []workload.Loop{{Size: a.Batch * heads, Stride: r.IntN(2)}}}
		}
	case workload.KindConvolution:
		w.Convolution = randomConvolution(r, t)
	case workload.KindMove:
		a, b, c := extent(r, 64), extent(r, 64), extent(r, 64)
		w.Move = workload.Move{DType: pick(r, dtype.F32, dtype.I32), Shape: []int{a, b, c},
			Perm: r.Perm(3), Elements: int64(a) * int64(b) * int64(c)}
	}
	return w
}

func randomProduct(r *rand.Rand, t dtype.DType) workload.Contraction {
	op := workload.Operand{DType: t}
	c := workload.Contraction{Batch: 1 + r.IntN(3), M: extent(r, 2048), N: extent(r, 2048),
		K: extent(r, 2048), A: op, B: op, Acc: dtype.F32, Out: t}
	if !t.IsFloat() {
		c.Acc = dtype.I32
	}
	if r.IntN(2) == 0 {
		c.Out = c.Acc
	}
	if r.IntN(3) == 0 {
		c.Epilogue.Ops.Simple = 1
		n := [3]int{c.N, c.M, c.Batch * c.M * c.N}[r.IntN(3)]
		c.Epilogue.In = []workload.Stream{{DType: c.Out, Elements: int64(n)}}
	}
	for range max(0, r.IntN(5)-2) {
		c.Epilogue.Also = append(c.Epilogue.Also, pick(r, t, c.Acc, dtype.I8))
	}
	return c
}

func randomConvolution(r *rand.Rand, t dtype.DType) workload.Convolution {
	acc := dtype.F32
	if !t.IsFloat() {
		acc = dtype.I32
	}
	f, dilation, groups := 1+2*r.IntN(3), 1+r.IntN(2), 1
	in, out := extent(r, 64), extent(r, 64)
	if r.IntN(4) == 0 {
		groups = 1 + r.IntN(8)
		in, out = in*groups, out*groups
	}
	size := func() int { return (f-1)*dilation + 1 + r.IntN(48) }
	c := workload.Convolution{N: 1 + r.IntN(2), C: in, H: size(), W: size(), K: out, R: f, S: f,
		StrideH: 1 + r.IntN(2), StrideW: 1 + r.IntN(2), DilationH: dilation, DilationW: dilation,
		Groups: groups, In: t, Weight: t, Acc: acc, Out: t}
	if r.IntN(2) == 0 {
		c.Epilogue.Ops.Simple = 1
		c.Epilogue.In = []workload.Stream{{DType: t, Elements: int64(out)}}
		if r.IntN(2) == 0 {
			c.Epilogue.In[0].Elements *= int64(c.N) * int64(c.OutH()) * int64(c.OutW())
		}
	}
	if r.IntN(3) == 0 {
		c.Epilogue.Also = []dtype.DType{pick(r, t, acc, dtype.I8)}
	}
	return c
}

// TestPrograms maps random kernels on every array and verifies their programs at
// both levels: capacity, locks, descriptors, channels, balance of every FIFO.
func TestPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 120
	if testing.Short() {
		rounds = 20
	}
	built := 0
	for range rounds {
		w := randomKernel(r)
		for _, name := range arrays {
			m, err := machine.Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			c, err := mapper.Map(m, w)
			if err != nil {
				t.Errorf("%s: %v %v: %v", name, w.Kind, w.Inputs(), err)
				continue
			}
			p, err := c.Program()
			if err != nil {
				t.Errorf("%s: %v %v %v: %v", name, w.Kind, c.Mapping, w.Inputs(), err)
				continue
			}
			if err := p.Verify(); err != nil {
				t.Errorf("%s: %v %v %v: %v", name, w.Kind, c.Mapping, w.Inputs(), err)
				continue
			}
			p.Lower()
			if err := p.Verify(); err != nil {
				t.Errorf("%s: %v %v %v: lowered: %v", name, w.Kind, c.Mapping, w.Inputs(), err)
			}
			built++
		}
	}
	t.Logf("%d programs", built)
}

// TestTraffic compares the bytes of the time model with those of the host's
// transfers, for kernels whose programs move every operand as they are timed.
func TestTraffic(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 60 {
		w := randomKernel(r)
		product := w.Kind == workload.KindContraction && len(w.Contraction.Epilogue.In) == 0
		convolution := w.Kind == workload.KindConvolution && len(w.Convolution.Epilogue.In) == 0
		if !product && !convolution {
			continue
		}
		for _, name := range []string{"npu1", "npu2", "vek280"} {
			m, err := machine.Preset(name)
			if err != nil {
				t.Fatal(err)
			}
			c, err := mapper.Map(m, w)
			if err != nil {
				t.Fatal(err)
			}
			p, err := c.Program()
			if err != nil {
				t.Fatal(err)
			}
			var read, write int64
			for _, op := range p.Runtime {
				if task, ok := op.(program.Task); ok {
					n := int64(task.Elements() * p.Args[task.Arg].DType.Size())
					if p.Args[task.Arg].Output {
						write += n
					} else {
						read += n
					}
				}
			}
			if read != c.Timing.ReadL3 || write != c.Timing.WriteL3 {
				t.Errorf("%s %v of %v: the host moves %d and %d bytes, timed are %d and %d", name,
					c.Mapping, w.Kind, read, write, c.Timing.ReadL3, c.Timing.WriteL3)
			}
		}
	}
}
