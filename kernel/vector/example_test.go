package vector_test

import (
	"fmt"

	"github.com/go-acap/acap/kernel/vector"
)

// The double of each number: words 0 to 2 of the call block are the source, the destination and how many there are.
func ExampleBuilder() {
	b := vector.NewBuilder("double", 4)
	from, to, n := b.Arg(0), b.Arg(1), b.Arg(2)
	b.Loop(n, 4, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
		x := b.Load(vector.F32, b.Along(from, i, 4), vector.Access{})
		b.Store(b.Op(vector.Add, x, x), b.Along(to, i, 4), vector.Access{})
		return nil
	})
	p := b.Program()
	p.Optimise() // takes the constant out of the loop
	fmt.Println(vector.Verify(p))
	fmt.Print(p)
	// Output:
	// <nil>
	// program "double" lanes=4 {
	//   %0 = arg word
	//   %1 = arg word imm=1
	//   %2 = arg word imm=2
	//   loop %3 to %2 step 4 {
	//     %4 = windex word %0 %3 imm=2
	//     %5 = load f32 %4
	//     %6 = add f32 %5 %5
	//     %7 = windex word %1 %3 imm=2
	//     store f32 %7 %6
	//   }
	// }
}

// The address moves once, behind both copies of the body.
func ExampleBuilder_Repeat() {
	b := vector.NewBuilder("twice", 4)
	b.Repeat(2, []vector.Val{b.Arg(0)}, func(at []vector.Val) []vector.Val {
		x := b.Load(vector.F32, at[0], vector.Access{})
		b.Store(b.Op(vector.Add, x, x), at[0], vector.Access{})
		return []vector.Val{b.Offset(at[0], 16)}
	})
	p := b.Program()
	fmt.Println(vector.Verify(p))
	fmt.Print(p)
	// Output:
	// <nil>
	// program "twice" lanes=4 {
	//   %0 = arg word
	//   %5 = repeat 2 carry %1:word=%0 {
	//     %2 = load f32 %1
	//     %3 = add f32 %2 %2
	//     store f32 %1 %3
	//     %4 = waddi word %1 imm=16
	//     yield %4
	//   }
	// }
}

// A program whose loop carries a value that the loop's body does not yield.
func ExampleParse() {
	_, err := vector.Parse(`program "sum" lanes=4 {
  %0 = arg word
  %1 = const f32 imm=0x0
  %2 = loop %3 to %0 step 4 carry %4:f32=%1 {
  }
}`)
	fmt.Println(err)
	// Output:
	// vector: loop %3: carries 1 values, but begins with 1, yields 0 and has 1 results
}
