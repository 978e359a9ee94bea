package compiler_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/native"
)

// callNanos is what one call of generated code, which nothing can interrupt, may take by estimate: the
// promise of package exec is some 0.2 ms, and estimates are rough.
const callNanos = 400e3

// TestUnitsAreShort: whatever a row's length, and whatever is done with it, no unit of a kernel takes
// longer than a call may, unless it is Go code, which can be interrupted.
func TestUnitsAreShort(t *testing.T) {
	for _, n := range []int{1 << 26, 64_000_031, 1<<26 - 4, 3 << 24} { // the second is a prime
		for _, rows := range []int{1, 5} {
			x := fmt.Sprintf("tensor<%dx%dxf32>", rows, n)
			row := fmt.Sprintf("tensor<%dxf32>", rows)
			for name, text := range map[string]string{
				"argmax": `%0 = "aten.argmax"(%x) {dim = 1 : i64, keepdim = false} : (X) -> POSITION
					return %0 : POSITION`,
				"sum of sines": `%1 = "aten.sin"(%x) : (X) -> X
					%0 = "aten.sum.dim_IntList"(%1) {dim = array<i64: 1>, keepdim = false} : (X) -> ROW
					return %0 : ROW`,
				"softmax": `%0 = "aten._softmax"(%x) {dim = 1 : i64, half_to_float = false} : (X) -> X
					return %0 : X`,
				"exp": `%0 = "aten.exp"(%x) : (X) -> X
					return %0 : X`,
				"product": `%1 = "aten.t"(%x) : (X) -> TURNED
					%0 = "aten.mm"(%x, %1) : (X, TURNED) -> SQUARE
					return %0 : SQUARE`,
			} {
				result := strings.Trim(text[strings.LastIndex(text, ":")+1:], " ")
				text = "func.func @main(%x: X) -> " + result + " {\n" + text + "\n}"
				text = strings.NewReplacer("TURNED", fmt.Sprintf("tensor<%dx%dxf32>", n, rows),
					"SQUARE", fmt.Sprintf("tensor<%dx%dxf32>", rows, rows), "X", x, "ROW", row, "POSITION", strings.Replace(row, "f32", "i64", 1)).Replace(text)
				t.Run(fmt.Sprintf("%s/%dx%d", name, rows, n), func(t *testing.T) {
					exe := compile(t, text)
					for _, g := range exe.Groups() {
						for _, k := range g.Program.Kernels() {
							if k.Kernel == nil {
								continue
							}
							for _, p := range kerneltest.Table {
								code, err := native.CompileFor(k.Kernel, p.Features)
								require.NoError(t, err)
								_, isProduct := k.Kernel.(*kernel.Contraction) // a unit of which is many calls
								if !isProduct && !strings.HasPrefix(code.Listing(), "portable") {
									require.LessOrEqual(t, code.UnitNanos(), callNanos, "%s: %d units of %s", p.Name,
										code.Units(), k.Kernel)
								}
								code.Close()
							}
						}
					}
				})
			}
		}
	}
}
