package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/passes"
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
)

// errAbsent is the error of a configuration whose tools are not installed.
var errAbsent = errors.New("mlir-opt-19, mlir-cpu-runner-19 and their libraries are not installed")

// upstreamLowering lowers linalg on tensors to LLVM with the tools of LLVM 19.
const upstreamLowering = "--convert-elementwise-to-linalg --canonicalize --cse " +
	"--one-shot-bufferize=bufferize-function-boundaries=true@function-boundary-type-conversion=identity-layout-map " +
	"--buffer-deallocation-pipeline --convert-bufferization-to-memref --convert-linalg-to-loops " +
	"--convert-scf-to-cf --expand-strided-metadata --lower-affine --convert-math-to-llvm " +
	"--convert-math-to-libm --arith-expand --convert-arith-to-llvm --convert-index-to-llvm " +
	"--finalize-memref-to-llvm --convert-cf-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts"

// runUpstream runs a module with upstream's tools. These print no tensors, so that the program compares
// its results with the host's and prints how far they are from each other; where they are
// near, the host's are returned.
func runUpstream(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	libraries, _ := filepath.Glob("/usr/lib/llvm-19/lib/libmlir_*runner_utils.so.19.1")
	_, noOpt := exec.LookPath("mlir-opt-19")
	_, noRunner := exec.LookPath("mlir-cpu-runner-19")
	if noOpt != nil || noRunner != nil || len(libraries) == 0 {
		return nil, errAbsent
	}
	want, err := conformance.Compute(host.Device, module.Clone(map[*mlir.Value]*mlir.Value{}), inputs)
	if err != nil {
		return nil, err
	}
	if err := compiler.Lower(module); err != nil {
		return nil, err
	}
	if err := passes.ExpandACAP(module); err != nil {
		return nil, err
	}
	text, err := upstreamProgram(module, inputs, want)
	if err != nil {
		return nil, err
	}
	var args []string
	for _, a := range strings.Fields(upstreamLowering) {
		args = append(args, strings.ReplaceAll(a, "@", " "))
	}
	llvm, err := piped([]byte(text), "mlir-opt-19", args...)
	if err != nil {
		return nil, err
	}
	out, err := piped(llvm, "mlir-cpu-runner-19", "-O3", "-e", "check", "-entry-point-result=f32",
		"-shared-libs="+strings.Join(libraries, ","))
	if err != nil {
		return nil, err
	}
	difference, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		return nil, err
	}
	const most = 1e-3
	if !(difference <= most) {
		return nil, fmt.Errorf("upstream's results differ by %g from the host's", difference)
	}
	return want, nil
}

func piped(input []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(input)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		first, _, _ := strings.Cut(errs.String(), "\n")
		return nil, fmt.Errorf("%s: %w: %s", name, err, first)
	}
	return out, nil
}

// upstreamProgram adds a function to a module that runs @main on the inputs and returns the largest
// difference of its results from those that are wanted, relative to numbers above one.
func upstreamProgram(module *mlir.Operation, inputs, want []*buf.Buffer) (string, error) {
	var b strings.Builder
	b.WriteString("  func.func @check() -> f32 {\n    %zero = arith.constant 0.0 : f32\n    %d0 = arith.constant 0.0 : f32\n")
	var names, types, results []string
	for i, in := range inputs {
		fmt.Fprintf(&b, "    %%x%d = %s\n", i, denseConstant(in))
		names, types = append(names, fmt.Sprintf("%%x%d", i)), append(types, mlir.Tensor(in.DType, in.Shape).String())
	}
	for _, w := range want {
		results = append(results, mlir.Tensor(w.DType, w.Shape).String())
	}
	fmt.Fprintf(&b, "    %%y:%d = call @main(%s) : (%s) -> (%s)\n", len(want), strings.Join(names, ", "), strings.Join(types, ", "), strings.Join(results, ", "))
	for i, w := range want {
		var convert string
		switch {
		case w.DType == dtype.F32:
			convert = "%p = arith.subf %a, %b : f32\n      %d = math.absf %p : f32"
		case w.DType == dtype.I64 || w.DType == dtype.I32:
			convert = fmt.Sprintf("%%p = arith.cmpi ne, %%a, %%b : %s\n      %%d = arith.uitofp %%p : i1 to f32", mlir.Tensor(w.DType, nil).Elem)
		default:
			return "", fmt.Errorf("results of type %v are not compared", w.DType)
		}
		dims, loops := make([]string, len(w.Shape)), make([]string, len(w.Shape))
		for k := range dims {
			dims[k], loops[k] = fmt.Sprintf("d%d", k), `"reduction"`
		}
		list, t := strings.Join(dims, ", "), results[i]
		fmt.Fprintf(&b, `    %%w%[1]d = %[2]s
    %%e%[1]d = tensor.empty() : tensor<f32>
    %%i%[1]d = linalg.fill ins(%%d%[1]d : f32) outs(%%e%[1]d : tensor<f32>) -> tensor<f32>
    %%r%[1]d = linalg.generic {indexing_maps = [affine_map<(%[3]s) -> (%[3]s)>, affine_map<(%[3]s) -> (%[3]s)>,
        affine_map<(%[3]s) -> ()>], iterator_types = [%[4]s]}
        ins(%%y#%[1]d, %%w%[1]d : %[5]s, %[5]s) outs(%%i%[1]d : tensor<f32>) {
    ^bb0(%%a: %[6]s, %%b: %[6]s, %%acc: f32):
      %[7]s
      %%n = arith.maximumf %%acc, %%d : f32
      linalg.yield %%n : f32
    } -> tensor<f32>
    %%d%[8]d = tensor.extract %%r%[1]d[] : tensor<f32>
`, i, denseConstant(w), list, strings.Join(loops, ", "), t, mlir.Tensor(w.DType, nil).Elem, convert, i+1)
	}
	fmt.Fprintf(&b, "    return %%d%d : f32\n  }\n", len(want))
	head, tail, found := strings.Cut(module.String()+"\n", "\n}\n")
	if !found {
		return "", errors.New("BUG: the text of a module does not end with a bracket")
	}
	return head + "\n" + b.String() + "}\n" + tail, nil
}

// denseConstant writes a buffer as a constant of MLIR.
func denseConstant(b *buf.Buffer) string {
	return fmt.Sprintf("arith.constant dense<\"0x%s\"> : %s", strings.ToUpper(hex.EncodeToString(b.Bytes())), mlir.Tensor(b.DType, b.Shape))
}
