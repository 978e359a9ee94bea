package native

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// raw is an epilogue that stores the sums densely.
func raw(acc dtype.DType, extents ...int) kernel.Epilogue {
	a := kernel.Access{Port: kernel.Port{DType: acc, Write: true, Len: 1}, Outer: make([]int, len(extents))}
	for l := len(extents) - 1; l >= 0; l-- {
		a.Outer[l] = a.Len
		a.Len *= extents[l]
	}
	b := kernel.NewBody()
	b.Store(2, b.Input(acc))
	return kernel.Epilogue{Access: []kernel.Access{a}, Body: b.Body()}
}

func square(t, acc dtype.DType) kernel.Kernel {
	const n = 256
	m := kernel.Matrix{Port: kernel.Port{DType: t, Len: n * n}, Row: n, Col: 1}
	return &kernel.Contraction{Name: "square", M: n, N: n, K: n, A: m, B: m, Acc: acc, Epilogue: raw(acc, n, n)}
}

// window is a convolution of channels by as many, in an image with a border of pad pixels.
func window(channels, pixels, taps, stride, pad int) kernel.Kernel {
	c := &kernel.Convolution{Name: "window", N: 1, C: channels, H: pixels, W: pixels, K: channels, R: taps, S: taps, Groups: 1,
		Stride: [2]int{stride, stride}, Dilation: [2]int{1, 1}, Pad: [2]int{pad, pad}, Acc: dtype.F32}
	c.P, c.Q = (pixels+2*pad-taps)/stride+1, (pixels+2*pad-taps)/stride+1
	c.X = kernel.Image{Port: kernel.Port{DType: dtype.F32, Len: channels * pixels * pixels}, Strides: [4]int{channels * pixels * pixels, pixels * pixels, pixels, 1}}
	c.Filter = kernel.Image{Port: kernel.Port{DType: dtype.F32, Len: channels * channels * taps * taps, Const: true},
		Strides: [4]int{channels * taps * taps, taps * taps, taps, 1}}
	c.Epilogue = raw(dtype.F32, 1, channels, c.P, c.Q)
	return c
}

// packed is a product of rounded rows with a matrix in blocks.
func packed(f dtype.Format, rows int) kernel.Kernel {
	const n, k = 64, 2048
	column, _ := f.RowBytes(k)
	return &kernel.Contraction{Name: "packed", M: rows, N: n, K: k, Acc: dtype.F32, Rounded: true, Epilogue: raw(dtype.F32, rows, n),
		A: kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: rows * k}, Row: k, Col: 1},
		B: kernel.Matrix{Port: kernel.Port{DType: dtype.U8, Format: f, Len: n * column}, Row: f.Bytes(), Col: column}}
}

// busiest is the loop of a listing that has no other in it and the most of an instruction.
func busiest(listing, name string) (body []string, count int) {
	var label string
	var lines []string
	for _, line := range strings.Split(listing, "\n") {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, ":") {
			label, lines = strings.TrimSuffix(line, ":"), nil
			continue
		}
		lines = append(lines, line)
		if f := strings.Fields(line); len(f) == 2 && f[0] == "b.lt" && f[1] == label {
			n := 0
			for _, l := range lines {
				if strings.HasPrefix(l, name+" ") {
					n++
				}
			}
			if n > count {
				body, count = append([]string{label + ":"}, lines...), n
			}
		}
	}
	return body, count
}

// TestBounds prints the share of the processor's rate of multiplications that the inner loops of products and
// convolutions reach, by llvm-mca 22, and wants 95 %, or 80 % for squares:
//
//	ACAP_LLVM_MCA=llvm-mca-22 go test -run TestBounds -v ./kernel/native
//
// Models of other processors are left out: of Apple's the tool has the A7's model, a lower bound.
func TestBounds(t *testing.T) {
	f := cpu.Features{Level: cpu.NEON, DotProduct: true}
	squares := cpu.Features{Level: cpu.NEON, DotProduct: true, I8MM: true, BF16: true}
	for _, c := range []struct {
		name   string
		k      kernel.Kernel
		instr  string
		bare   string
		counts int
	}{
		{"f32 product", square(dtype.F32, dtype.F32), "fmla", "fmla v%d.4s, v30.4s, v31.s[0]", 96},
		{"f64 product", square(dtype.F64, dtype.F64), "fmla", "fmla v%d.2d, v30.2d, v31.d[0]", 96},
		{"i8 product, SDOT", square(dtype.I8, dtype.I32), "sdot", "sdot v%d.4s, v30.16b, v31.4b[0]", 96},
		{"u8 product, UDOT", square(dtype.U8, dtype.I32), "udot", "udot v%d.4s, v30.16b, v31.4b[0]", 96},
		{"i8 product, SMMLA", square(dtype.I8, dtype.I32), "smmla", "smmla v%d.4s, v30.16b, v31.16b", 96},
		{"u8 product, UMMLA", square(dtype.U8, dtype.I32), "ummla", "ummla v%d.4s, v30.16b, v31.16b", 96},
		{"bf16 product, BFMMLA", square(dtype.BF16, dtype.F32), "bfmmla", "bfmmla v%d.4s, v30.8h, v31.8h", 96},
		{"Winograd 3x3", window(64, 56, 3, 1, 1), "fmla", "fmla v%d.4s, v30.4s, v31.s[0]", 56},
		{"convolution 3x3", window(15, 58, 3, 1, 0), "fmla", "fmla v%d.4s, v30.4s, v31.s[0]", 3 * 24},
		{"convolution 3x3, stride 2", window(64, 57, 3, 2, 0), "fmla", "fmla v%d.4s, v30.4s, v31.s[0]", 3 * 24},
		{"convolution 5x5", window(64, 60, 5, 1, 0), "fmla", "fmla v%d.4s, v30.4s, v31.s[0]", 5 * 24},
		{"convolution 1x1", window(64, 48, 1, 1, 0), "fmla", "fmla v%d.4s, v30.4s, v31.s[0]", 96},
	} {
		of, share := f, 0.95
		if strings.HasSuffix(c.instr, "mmla") {
			of, share = squares, 0.8
		}
		code, err := generate(c.k, of)
		require.NoError(t, err)
		body, count := busiest(code.Listing(), c.instr)
		code.Close()
		require.Equal(t, c.counts, count, "%s: multiplications of one turn", c.name)
		program := os.Getenv("ACAP_LLVM_MCA")
		if program == "" {
			continue
		}
		var bare []string
		for n := range 24 {
			bare = append(bare, fmt.Sprintf(c.bare, n))
		}
		for _, processor := range []string{"neoverse-n1", "neoverse-v1", "neoverse-v2", "neoverse-n2", "apple-m1"} {
			if of.I8MM && processor == "neoverse-n1" { // which has no squares
				continue
			}
			best := 24 / cycles(t, program, processor, bare)
			rate := float64(count) / cycles(t, program, processor, body)
			t.Logf("%-26s %-12s %.2f of %.2f a cycle: %3.0f %%", c.name, processor, rate, best, 100*rate/best)
			if processor != "apple-m1" {
				require.GreaterOrEqual(t, rate/best, share, "%s on %s", c.name, processor)
			}
		}
	}
}

// TestBoundsOfPacked prints, for products of rounded rows with packed blocks, how near vector instructions come to the rate of
// the processor's additions of vectors, and how many bytes of blocks are read in a cycle. Of many rows it wants 80 % of the
// rate; of one row, which reads memory that comes no faster, 2 bytes a cycle.
//
//	ACAP_LLVM_MCA=llvm-mca-22 go test -run TestBounds -v ./kernel/native
func TestBoundsOfPacked(t *testing.T) {
	lanes := cpu.Features{Level: cpu.NEON, DotProduct: true}
	squares := cpu.Features{Level: cpu.NEON, DotProduct: true, I8MM: true, BF16: true}
	for _, c := range []struct {
		format dtype.Format
		rows   int
		f      cpu.Features
		counts int
	}{
		{dtype.Q8_0, 1, lanes, 32}, {dtype.Q4_0, 1, lanes, 32}, {dtype.Q4_K, 1, lanes, 64}, {dtype.Q6_K, 1, lanes, 32},
		{dtype.Q8_0, 32, lanes, 64}, {dtype.Q4_0, 32, lanes, 64}, {dtype.Q4_K, 32, lanes, 64}, {dtype.Q6_K, 32, lanes, 64},
		{dtype.Q8_0, 32, squares, 32}, {dtype.Q4_0, 32, squares, 32}, {dtype.Q4_K, 32, squares, 32}, {dtype.Q6_K, 32, squares, 32},
	} {
		instr, name := "sdot", fmt.Sprintf("%v, %d rows, SDOT", c.format, c.rows)
		if c.f.I8MM {
			instr, name = "smmla", fmt.Sprintf("%v, %d rows, SMMLA", c.format, c.rows)
		}
		code, err := generate(packed(c.format, c.rows), c.f)
		require.NoError(t, err)
		body, count := busiest(code.Listing(), instr)
		code.Close()
		require.Equal(t, c.counts, count, "%s: multiplications of one turn", name)
		program := os.Getenv("ACAP_LLVM_MCA")
		if program == "" {
			continue
		}
		var bare []string
		for n := range 24 {
			bare = append(bare, fmt.Sprintf("add v%d.4s, v30.4s, v31.4s", n))
		}
		vectors := 0
		for _, line := range body {
			if f := strings.Fields(line); strings.Contains(line, " v") && !strings.HasPrefix(f[0], "ld") && !strings.HasPrefix(f[0], "st") {
				vectors++
			}
		}
		for _, processor := range []string{"neoverse-n1", "neoverse-v1", "neoverse-v2", "neoverse-n2", "apple-m1"} {
			if c.f.I8MM && processor == "neoverse-n1" { // which has no squares
				continue
			}
			turn := cycles(t, program, processor, body)
			share := float64(vectors) / turn / (24 / cycles(t, program, processor, bare))
			if c.rows > 4 {
				t.Logf("%-22s %-12s %4.1f products a cycle, %3.0f %% of the rate of vectors", name, processor, float64(4*8*32)/turn, 100*share)
				require.GreaterOrEqual(t, share, 0.8, "%s on %s", name, processor)
				continue
			}
			// A turn has 32 numbers for each two products.
			bytes := float64(count*16/c.format.Block()*c.format.Bytes()) / turn
			t.Logf("%-22s %-12s %4.1f bytes a cycle, %3.0f %% of the rate of vectors", name, processor, bytes, 100*share)
			require.GreaterOrEqual(t, bytes, 2.0, "%s on %s", name, processor)
		}
	}
}

var total = regexp.MustCompile(`Total Cycles:\s+(\d+)`)

// cycles returns the cycles of one turn in the long run: 300 turns less 100 turns.
func cycles(t *testing.T, program, processor string, body []string) float64 {
	run := func(turns int) int {
		command := append(strings.Fields(program), "-mtriple=aarch64", "-mcpu="+processor, "-mattr=+dotprod,+i8mm,+bf16", fmt.Sprint("-iterations=", turns))
		c := exec.Command(command[0], command[1:]...)
		c.Stdin = strings.NewReader(strings.Join(body, "\n") + "\n")
		out, err := c.Output()
		require.NoError(t, err)
		m := total.FindSubmatch(out)
		require.NotNil(t, m)
		n, err := strconv.Atoi(string(m[1]))
		require.NoError(t, err)
		return n
	}
	return float64(run(300)-run(100)) / 200
}
