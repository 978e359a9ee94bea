package vector

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sum = `program "sum" lanes=4 {
  data 0x1 0x2
  %0 = arg word
  %1 = arg word imm=1
  %2 = const f32 imm=0x0
  %3 = loop %4 to %1 step 16 carry %5:f32=%2 {
    %6 = wadd word %0 %4
    %7 = load f32 %6
    %8 = add f32 %5 %7
    yield %8
  }
  %9 = arg word imm=2
  store f32 %9 %3
}
`

func TestText(t *testing.T) {
	p, err := Parse(sum)
	require.NoError(t, err)
	require.Equal(t, sum, p.String())
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"lanes=4", "lanes=x", "line 1: want a number"},
		{"lanes=4", "lanes=0", "0 lanes"},
		{"wadd word %0 %4", "wadd word %0 %7", "wadd %6: %7 is not defined"},
		{"wadd word %0 %4", "wadd word %0 %2", "wadd %6: %2 is f32"},
		{"wadd word %0 %4", "wadd word %0", "wadd %6: 1 operands"},
		{"add f32 %5 %7", "add f64 %5 %7", "add %8: %5 has 16 bytes, not 32"},
		{"yield %8", "yield", "loop %4: carries 1 values, but begins with 1, yields 0 and has 1 results"},
		{"store f32 %9 %3", "store f32 %9 %8", "store: %8 is not defined"},
		{"load f32 %6", "load f32 %6 count=5", "load %7: 5 of 4 lanes"},
		{"load f32 %6", "lead f32 %6", "line 8: no operation \"lead\""},
		{"%1 = arg", "%0 = arg", "%0 is defined twice"},
		{"  }\n", "", "line 14: want }"},
		{"step 16", "step 0", "steps of 0"},
	} {
		_, err := Parse(strings.Replace(sum, c.from, c.to, 1))
		require.ErrorContains(t, err, c.want, c.to)
	}
}

const twice = `program "twice" lanes=4 {
  %0 = arg word
  %1 = arg word imm=1
  %8 = loop %2 to %1 step 1 carry %3:word=%0 {
    %4 = load f32 %0
    %7 = repeat 2 carry %5:word=%3 {
      store f32 %5 %4
      %6 = waddi word %5 imm=16
      yield %6
    }
    yield %7
  }
  %9 = load f32 %0
  %10 = again 3 %7 %8
}
`

const product = `program "product" lanes=4 {
  %0 = arg word
  %1 = arg word imm=1
  %2 := const f32 imm=0x0
  loop %3 to %1 step 1 {
    %4 = load f32 %0
    %2 := fma f32 %4 %4 %2
  }
  store f32 %0 %2
}
`

// TestVariables: a variable has its own text, stays in loops, and is not there behind the loop that sets it first.
func TestVariables(t *testing.T) {
	p, err := Parse(product)
	require.NoError(t, err)
	require.Equal(t, product, p.String())
	p.Optimise()
	require.Equal(t, product, p.String())
	_, err = Parse(strings.Replace(product, "  %2 := const f32 imm=0x0\n", "", 1))
	require.EqualError(t, err, "vector: fma %2: %2 is not defined")
	_, err = Parse(strings.Replace(strings.Replace(product, "  %2 := const f32 imm=0x0\n", "", 1), "fma f32 %4 %4 %2", "add f32 %4 %4", 1))
	require.EqualError(t, err, "vector: store: %2 is not defined")
}

// TestVariableRead: equal operations are one, but not where they read a variable, which may be set in between.
func TestVariableRead(t *testing.T) {
	b := NewBuilder("read", 4)
	sum, x := b.Variable(F32), b.Load(F32, b.Arg(0), Access{})
	b.Set(sum, Const, 0)
	first := b.Op(Add, sum, x)
	b.Set(sum, Add, 0, sum, x)
	require.NotEqual(t, first, b.Op(Add, sum, x))
	require.Equal(t, b.Op(Mul, x, x), b.Op(Mul, x, x))
}

// TestAgain: what a body reads is defined at both of its places, and begins with as many values as the body carries.
func TestAgain(t *testing.T) {
	_, err := Parse(twice)
	require.EqualError(t, err, "vector: store: %4 is not defined")
	outside := strings.Replace(twice, "store f32 %5 %4", "wstore word %5 %0", 1)
	p, err := Parse(outside)
	require.NoError(t, err)
	require.Equal(t, outside, p.String())
	for _, c := range []struct{ from, to, want string }{
		{"again 3 %7 %8", "again 3 %7", "again 3: carries 1 values, but begins with 0, yields 1 and has 1 results"},
		{"again 3 %7 %8", "again 3 %7 %9", "again 3: %9 is f32"},
		{"again 3 %7 %8", "again 3 %8 %8", "line 14: want some turns of a body that stands in the code"},
		{"again 3 %7 %8", "again 0 %7 %8", "line 14: want some turns of a body that stands in the code"},
		{"%10 = again", "%10 %11 = again", "line 14: 2 results of 1 values that are carried"},
		{"again 3 %7 %8", "again 3", "line 14: want again N %R"},
	} {
		_, err := Parse(strings.Replace(outside, c.from, c.to, 1))
		require.ErrorContains(t, err, c.want, c.to)
	}
}

// Operations of the table have names and signatures of their own.
func TestOps(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Ops() {
		require.NotEmpty(t, o.String())
		require.False(t, seen[o.String()], o.String())
		seen[o.String()] = true
		require.Contains(t, ops[o].signature, ">")
	}
}

func TestOptimise(t *testing.T) {
	b := NewBuilder("p", 4)
	n, x := b.Arg(0), b.Arg(1)
	b.Loop(n, 4, nil, func(i Val, _ []Val) []Val {
		b.When(b.Arg(2), func() {
			b.Store(b.Op(Sqrt, b.Float(F32, 2)), b.Along(x, i, 4), Access{})
		})
		b.Op(Abs, b.Float(F32, 3)) // nothing needs it
		b.Store(b.Op(Mul, b.Float(F32, 2), b.Float(F32, 2)), b.Along(x, i, 4), Access{})
		return nil
	})
	p := b.Program()
	p.Optimise()
	require.NoError(t, Verify(p))
	text := p.String()
	before, loop, _ := strings.Cut(text, "loop")
	require.Contains(t, before, "mul f32") // what does not change
	require.Contains(t, loop, "sqrt f32")  // but not out of what is rare
	require.NotContains(t, text, "abs")
}

// machine has few registers.
type machine struct {
	vectors, words int
	memory         bool // the second operand of a multiplication may be in memory
	p              *Program
}

func (m machine) Shape(i, _ *Instr) *Shape {
	s := Shape{Tied: -1, Early: i.Op == Select}
	switch {
	case i.Op == MulAdd && m.memory:
		s.Tied, s.Memory = 2, 1
	case i.Op == MulAdd:
		s.Tied = 2
	case i.Op == Mul && m.memory:
		s.Memory = 2
	}
	return &s
}

func (m machine) File(v Value) File {
	if m.p.Kind(v) == Word {
		return Words
	}
	return Vectors
}

func (m machine) Registers(f File) (list []int, room int) {
	for n := range [files]int{m.vectors, m.words}[f] {
		list = append(list, n)
	}
	return list, [files]int{10, 6}[f]
}

// TestAllocate runs allocated programs on registers that hold names of values: whatever an instruction reads is the
// value that the program says.
func TestAllocate(t *testing.T) {
	direct, moved := 0, 0
	for _, m := range []machine{{vectors: 5, words: 5}, {vectors: 5, words: 5, memory: true}, {vectors: 6, words: 8},
		{vectors: 6, words: 8, memory: true}, {vectors: 12, words: 12, memory: true}, {vectors: 32, words: 24}} {
		for _, copies := range []int{1, 2, 4, 9} {
			if copies > m.vectors-3 {
				continue
			}
			b := NewBuilder("p", 4)
			n, x := b.Arg(0), b.Arg(1)
			scale := b.Load(F32, x, Access{}) // which the inner loop alone reads
			var acc []Val
			for k := range copies {
				acc = append(acc, b.Float(F32, float64(k)))
			}
			outer := b.Loop(n, 1, acc, func(i Val, acc []Val) []Val {
				row := b.Along(x, i, 400)
				acc = b.Loop(b.Word(64), 4, acc, func(j Val, acc []Val) (out []Val) {
					v := b.Load(F32, b.Along(row, j, 4), Access{})
					for k := range acc {
						w := b.Op(Mul, v, b.Splat(F32, row, Access{Offset: k, Still: true}))
						w = b.Op(Mul, b.Op(Mul, w, scale), b.Float(F32, float64(k)+0.5))
						out = append(out, b.Op(MulAdd, v, w, acc[(k+1)%copies])) // they change places
					}
					return out
				})
				b.Store(b.Op(Div, b.Op(Sqrt, acc[0]), b.Op(Abs, acc[0])), row, Access{}) // in registers that are free
				c, r := b.Repeat(3, append([]Val{row}, acc...), func(c []Val) (out []Val) {
					v, at, acc := b.Load(F32, c[0], Access{}), b.Offset(c[0], 16), c[1:]
					out = append(out, at)
					for k := range acc {
						out = append(out, b.Op(MulAdd, v, scale, acc[(k+1)%copies]))
					}
					return out
				})
				if copies > 1 { // in other registers; the loop has one more
					c[1], c[2] = c[2], c[1]
					c = b.Loop(b.Word(3), 1, c, func(_ Val, c []Val) []Val { return b.Again(r, 3, c) })
				}
				return c[1:]
			})
			for k, v := range outer {
				b.Store(v, x, Access{Offset: 16 * k})
			}
			p := b.Program()
			p.Optimise()
			require.NoError(t, Verify(p))
			m.p = p
			d, late := run(t, p, Allocate(p, m))
			direct, moved = direct+d, moved+late
		}
	}
	require.NotZero(t, direct)
	require.NotZero(t, moved)
}

// run follows the steps of an allocation, through every loop twice. It returns how many operands were read from memory,
// and how often an address was left to move later.
func run(t *testing.T, p *Program, a *Allocation) (direct, moved int) {
	regs := [2]map[int]Value{{}, {}}
	memory := map[int]Value{}
	file := func(v Value) map[int]Value {
		if p.Kind(v) == Word {
			return regs[1]
		}
		return regs[0]
	}
	type open struct {
		at    int
		turns int
	}
	var loops []open
	places := map[int]*Instr{} // among the steps, where turns of a body begin, and the loop that they are of
	var steps []*Step
	a.Each(func(run []Step, turn Turn) {
		if turn.of != nil && turn.Number == 0 {
			places[len(steps)] = turn.of
		}
		for n := range run {
			if turn.Step(&run[n]) != nil {
				steps = append(steps, &run[n])
			}
		}
	})
	for at := 0; at < len(steps); at++ {
		s := steps[at]
		switch s.Kind {
		case Do:
			for n, v := range s.Instr.Args {
				switch {
				case s.Source(n) < 0 && s.Made != nil:
					direct++
					require.Equal(t, v, s.Made.Def)
					continue
				case s.Source(n) < 0:
					direct++
					require.Equal(t, v, memory[s.Slot])
					continue
				}
				require.Equal(t, v, file(v)[s.Source(n)], "%v %%%d operand %d\n%s", s.Instr.Op, s.Instr.Def, n, p)
			}
			if s.Instr.Def >= 0 {
				file(s.Of)[s.Result] = s.Of
			}
		case Move:
			file(s.Of)[s.Result] = file(s.Of)[s.Source(0)]
		case Reload:
			if s.Instr != nil {
				file(s.Of)[s.Result] = s.Of
				break
			}
			require.Equal(t, s.Of, memory[s.Slot])
			file(s.Of)[s.Result] = s.Of
		case Spill:
			require.Equal(t, s.Of, file(s.Of)[s.Source(0)])
			memory[s.Slot] = s.Of
		case Begin:
			of, first := places[at]
			for n, v := range s.Instr.Params {
				is := file(v)[a.Carried(s, n)]
				switch {
				case first:
					require.Equal(t, of.Init[n], is)
				case is == v: // an address that moves in the end
					moved++
				default:
					require.Equal(t, s.Instr.Body.Yield[n], is)
				}
				file(v)[a.Carried(s, n)] = v
			}
		case End, Again:
			of := s.Instr
			if of.Again != nil {
				of = of.Again
			}
			for n, v := range s.Instr.Results {
				require.Equal(t, of.Body.Yield[n], file(v)[a.Carried(s, n)])
				file(v)[a.Carried(s, n)] = v
			}
		case Enter:
			for n, v := range s.Instr.Params {
				require.Equal(t, s.Instr.Init[n], file(v)[a.Carried(s, n)])
				file(v)[a.Carried(s, n)] = v
			}
			require.Equal(t, s.Instr.Args[0], regs[1][s.Source(0)])
			regs[1][s.Result] = s.Instr.Counter
			loops = append(loops, open{at, 0})
		case Repeat:
			l := &loops[len(loops)-1]
			for n, v := range s.Instr.Params {
				require.Equal(t, s.Instr.Body.Yield[n], file(v)[a.Carried(s, n)])
				file(v)[a.Carried(s, n)] = v
			}
			require.Equal(t, s.Instr.Counter, regs[1][s.Result])
			require.Equal(t, s.Instr.Args[0], regs[1][s.Source(0)])
			if l.turns++; l.turns < 2 {
				at = l.at
				continue
			}
			for n, v := range s.Instr.Results {
				file(v)[a.Carried(s, n)] = v
			}
			loops = loops[:len(loops)-1]
		}
	}
	return direct, moved
}

// TestRelease: what programs consist of is used again, and nothing of a program is left in the next one.
func TestRelease(t *testing.T) {
	write := func(loops int) *Program {
		b := NewBuilder("p", 4)
		for n := range loops {
			b.Loop(b.Arg(0), 4, []Val{b.Float(F32, float64(n))}, func(i Val, c []Val) []Val {
				bits, ok := b.ConstantBits(b.Float(F32, 2))
				require.True(t, ok)
				require.EqualValues(t, 0x40000000, bits)
				_, ok = b.ConstantBits(c[0])
				require.False(t, ok)
				v := b.Load(F32, b.Along(b.Arg(1), i, 4), Access{})
				return []Val{b.Op(MulAdd, v, b.Float(F32, 2), c[0])}
			})
		}
		p := b.Program()
		p.Optimise()
		p.Index()
		return p
	}
	want := write(3).String() // whose memory nobody gets
	for _, loops := range []int{3, 90, 1, 3, 200, 3} {
		p := write(loops)
		require.NoError(t, Verify(p))
		if loops == 3 {
			require.Equal(t, want, p.String())
		}
		p.Release()
	}
	perLoop := testing.AllocsPerRun(20, func() { write(100).Release() }) / 100
	require.Less(t, perLoop, 12.0) // allocations of the closure and of the test
}

// TestIndex: what is added to an address moves into the accesses, unless anything else needs the sum.
func TestIndex(t *testing.T) {
	b := NewBuilder("p", 4)
	at := b.Offset(b.Arg(0), 64)
	b.Store(b.Load(F32, at, Access{Offset: 16}), at, Access{})
	b.Store(b.Splat(F32, at, Access{Offset: 4}), b.Arg(1), Access{})
	kept := b.Offset(b.Arg(1), 1<<20)
	b.Loop(b.Arg(2), 1, []Val{kept}, func(_ Val, at []Val) []Val {
		b.Store(b.Load(F32, kept, Access{}), at[0], Access{})
		return []Val{b.Offset(at[0], 16)}
	})
	p := b.Optimised()
	p.Index()
	require.NoError(t, Verify(p))
	text := p.String()
	for _, want := range []string{"load f32 %0 imm=80\n", "store f32 %0 %2 imm=64\n", "splat f32 %0 imm=68\n", "%5 = waddi word %4 imm=1048576\n", "load f32 %5\n"} {
		require.Contains(t, text, want)
	}
	require.Equal(t, 2, strings.Count(text, "waddi"), text)
}

// TestConstants: loops share a constant, which is made outside them. One that only a loop needs that may well not run
// is made there.
func TestConstants(t *testing.T) {
	b := NewBuilder("p", 4)
	use := func(x float64) {
		b.Store(b.Float(F32, x), b.Arg(0), Access{})
	}
	for range 2 {
		b.Loop(b.Arg(1), 1, nil, func(Val, []Val) []Val {
			b.Loop(b.Arg(1), 1, nil, func(Val, []Val) []Val {
				use(1)
				return nil
			})
			return nil
		})
	}
	for range 2 {
		b.When(b.Arg(2), func() {
			b.Loop(b.Arg(1), 1, nil, func(Val, []Val) []Val {
				use(1)
				use(2)
				return nil
			})
		})
	}
	p := b.Program()
	require.NoError(t, Verify(p))
	constants := func(list []*Instr) (values []int64) {
		for _, i := range list {
			if i.Op == Const {
				values = append(values, i.Imm)
			}
		}
		return values
	}
	const one, two = 0x3f800000, 0x40000000
	require.Equal(t, []int64{one}, constants(p.Body.Instrs))
	var inside []int64
	p.Each(func(i *Instr) {
		if i.Op == Loop {
			if c := constants(i.Body.Instrs); len(c) > 0 {
				require.True(t, i.Rare)
				inside = append(inside, c...)
			}
		}
	})
	require.Equal(t, []int64{two, two}, inside)
}
