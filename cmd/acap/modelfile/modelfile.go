package modelfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/artifact"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/npy"
	"github.com/go-acap/acap/tensor/safetensors"
	"github.com/go-acap/acap/translate/importer/onnx"
	"github.com/go-acap/acap/translate/importer/stablehlo"
	"github.com/go-acap/acap/translate/importer/torchscript"
	"github.com/go-acap/acap/translate/importer/tosa"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/acap2019"
	"github.com/go-acap/acap/translate/passes/guard"
)

// Load reads a model file as a module with a function @main. A TorchScript, torch.export
// or ONNX model is imported for the given input types; MLIR has its own.
func Load(path string, inputs []ops.TensorType) (*mlir.Operation, error) {
	switch ext := extension(path); ext {
	case ".pt", ".pth", ".ptl", ".pt2":
		m, err := torchscript.Load(path)
		if err != nil {
			return nil, err
		}
		if declared, ok := m.InputTypes(); ok && len(inputs) == 0 {
			inputs = declared
		}
		if len(inputs) == 0 && len(m.InputNames()) > 0 {
			return nil, fmt.Errorf("%s: the types of its inputs (%s) are not known: give -input or "+
				"-shape, here or to acap compile, whose file has them", path, strings.Join(m.InputNames(), ", "))
		}
		return m.Import(inputs)
	case ".onnx":
		return loadONNX(path, inputs)
	case ".mlir", ".mlirbc", ".bc":
		module, err := readMLIR(path)
		if err != nil {
			return nil, err
		}
		if m := torchText(path, module); m != nil {
			return m.load(path, inputs)
		}
		return loadMLIR(path, module, inputs)
	case ".acap":
		f, err := artifact.Open(path)
		if err != nil {
			return nil, err
		}
		return f.Module()
	default:
		return nil, unknownKind(path, ext)
	}
}

// unknownKind says why a file is no model that is run: it is missing, or holds something else.
func unknownKind(path, ext string) error {
	info, err := os.Stat(path)
	hint := ""
	switch {
	case path == "-":
		return errors.New("-: models are read from files, and not from standard input")
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s: it is a folder; models are files: .pt, .pt2, .onnx, .mlir and .acap; acap generate, chat, serve, fit and bench-llm take folders of language models", path)
	case ext == ".gguf":
		hint = "; acap generate, chat, serve, fit and bench-llm take language models"
	case ext == ".safetensors" || ext == ".npz":
		hint = "; weights alone say not what is computed: nn.LoadStateDict gives them to a model in Go"
	}
	return fmt.Errorf("%s: unknown kind of model %q; there are .pt, .pt2, .onnx, .mlir and .acap%s", path, ext, hint)
}

// extension is the kind of a model: the extension of its file, in small letters.
func extension(path string) string {
	file, _ := torchscript.ProgramOf(path)
	return strings.ToLower(filepath.Ext(file))
}

// LoadOnce is LoadFor for who runs the module on these inputs alone: it has no guards of what was read from them.
func LoadOnce(path string, inputs []*buf.Buffer) (*mlir.Operation, error) {
	module, err := LoadFor(path, inputs)
	if err == nil && len(inputs) > 0 && !IsArtifact(path) && !isMLIR(path) {
		guard.Take(module)
	}
	return module, err
}

// isMLIR reports whether a file is MLIR, text or bytecode, whose guards are its own.
func isMLIR(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".mlir", ".mlirbc", ".bc":
		return true
	}
	return false
}

// LoadFor is Load for inputs whose elements are known; the structure of a model may depend on the elements. Guards of
// the module refuse other inputs if an element that was read differs. Inputs are changed by [Narrow].
func LoadFor(path string, inputs []*buf.Buffer) (*mlir.Operation, error) {
	if len(inputs) == 0 {
		return Load(path, nil)
	}
	switch extension(path) {
	case ".onnx":
		m, err := onnx.Load(path)
		if err != nil {
			return nil, err
		}
		var wanted []dtype.DType
		for _, in := range m.Inputs() {
			wanted = append(wanted, in.DType)
		}
		if err := Narrow(inputs, wanted); err != nil {
			return nil, inputfile.Named(path, err)
		}
		return m.Specialize(inputs, OnHost)
	case ".pt", ".pth", ".ptl", ".pt2":
		m, err := torchscript.Load(path)
		if err != nil {
			return nil, err
		}
		if err := Narrow(inputs, m.InputDTypes()); err != nil {
			return nil, inputfile.Named(path, err)
		}
		return m.Specialize(inputs, OnHost)
	case ".mlir", ".mlirbc", ".bc":
		module, err := readMLIR(path)
		if err != nil {
			return nil, err
		}
		if m := torchText(path, module); m != nil {
			return m.Specialize(inputs, OnHost)
		}
		if module, err = loadMLIR(path, module, TypesOf(inputs)); err != nil {
			return nil, err
		}
		if err := Narrow(inputs, InputDTypes(module)); err != nil {
			return nil, inputfile.Named(path, err)
		}
		return module, nil
	}
	return Load(path, TypesOf(inputs))
}

// OnHost computes what a model's structure depends on.
func OnHost(module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	exe, err := host.Device().Compile(context.Background(), module)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(context.Background(), inputs)
}

// loadONNX imports a model for the given types, or for those that it declares.
func loadONNX(path string, inputs []ops.TensorType) (*mlir.Operation, error) {
	m, err := onnx.Load(path)
	if err != nil {
		return nil, err
	}
	if declared, ok := m.InputTypes(); ok && len(inputs) == 0 {
		inputs = declared
	}
	if len(inputs) == 0 && len(m.Inputs()) > 0 {
		return nil, fmt.Errorf("%s: its inputs (%s) have open extents: give -input or -shape", path,
			strings.Join(m.InputNames(), ", "))
	}
	return m.Import(inputs)
}

// readMLIR reads a text or bytecode.
func readMLIR(path string) (*mlir.Operation, error) {
	text, err := inputfile.ReadText(path)
	if err != nil {
		return nil, err
	}
	module, err := bytecode.Parse(path, text)
	if err != nil && strings.HasPrefix(string(text), compiler.GroupLine) {
		return nil, fmt.Errorf("%s: text of the stage kernel, vector or asm, which is no program: acap run MODEL -kernels FILE runs a model with "+
			"the kernels of a text of the stage kernel", path)
	}
	if err != nil {
		return nil, err
	}
	// What opt refuses is not taken apart: a rule that lowers an operation trusts its form.
	if err := mlir.Verify(module); err != nil && openFunction(module) == nil {
		return nil, err
	}
	return module, nil
}

// loadMLIR lowers a text. Operators of aten need to know extents: those that are open become those of the inputs.
func loadMLIR(path string, module *mlir.Operation, inputs []ops.TensorType) (*mlir.Operation, error) {
	if err := acap2019.From(module); err != nil {
		return nil, err
	}
	if tosa.Has(module) {
		if err := tosa.Lower(module); err != nil {
			return nil, err
		}
	}
	if stablehlo.Has(module) {
		if f := openFunction(module); f != nil {
			if err := givenAll(path, f, inputs); err != nil {
				return nil, err
			}
			if err := stablehlo.Refine(module, f, irTypes(inputs)); err != nil {
				return nil, inputfile.Named(path, err)
			}
		} else if f := openInside(module); f != nil {
			if err := stablehlo.Refine(module, f, mlir.TypesOf(f.Body().Args)); err != nil {
				return nil, inputfile.Named(path, err)
			}
		}
		if err := stablehlo.Lower(module); err != nil {
			return nil, err
		}
	}
	err := mlir.Verify(module)
	if f := openFunction(module); err != nil && f != nil {
		if err := givenAll(path, f, inputs); err != nil {
			return nil, err
		}
		if err := passes.Specialize(module, f, irTypes(inputs)); err != nil {
			return nil, inputfile.Named(path, err)
		}
		err = mlir.Verify(module)
	}
	if err != nil {
		return nil, err
	}
	return module, nil
}

// openFunction is the function that runs, if an argument has an open extent, else nil.
func openFunction(module *mlir.Operation) *mlir.Operation {
	f, err := compiler.EntryOf(module)
	if err != nil || f.Body() == nil {
		return nil
	}
	for _, v := range f.Body().Args {
		if t, ok := v.Type.(mlir.TensorType); ok && slices.Contains(t.Shape, mlir.Dynamic) {
			return f
		}
	}
	return nil
}

// openInside is the function that runs, if a type in the module has an open extent, which constants may determine;
// else nil.
func openInside(module *mlir.Operation) *mlir.Operation {
	f, err := compiler.EntryOf(module)
	if err != nil || f.Body() == nil {
		return nil
	}
	found := false
	module.Walk(func(op *mlir.Operation) {
		for _, v := range op.Results {
			t, ok := v.Type.(mlir.TensorType)
			found = found || ok && slices.Contains(t.Shape, mlir.Dynamic)
		}
	})
	if !found {
		return nil
	}
	return f
}

// givenAll reports inputs that are missing of a function with open extents.
func givenAll(path string, f *mlir.Operation, inputs []ops.TensorType) error {
	if n := len(f.Body().Args); len(inputs) != n {
		return fmt.Errorf("%s: some of its %d inputs have open extents, and %d are given: give -input or -shape for all of them",
			path, n, len(inputs))
	}
	return nil
}

func irTypes(inputs []ops.TensorType) []mlir.Type {
	var types []mlir.Type
	for _, t := range inputs {
		types = append(types, mlir.Tensor(t.DType, t.Shape))
	}
	return types
}

// ReadInput reads a tensor: .npy, .safetensors that hold one, which may be of bf16, or .png as grey values 0 to 1 in
// [1 1 H W].
func ReadInput(path string) (*buf.Buffer, error) {
	ext := strings.ToLower(filepath.Ext(path))
	switch ext {
	case ".png":
		return data.ReadGray(path)
	case ".safetensors":
		return only(path)
	}
	b, err := npy.ReadFile(path)
	if err != nil && ext != ".npy" {
		err = fmt.Errorf("%w; inputs are .npy, .safetensors or .png files", err)
	}
	return b, err
}

// only reads the one tensor of a file.
func only(path string) (*buf.Buffer, error) {
	f, err := safetensors.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names := f.Names()
	if len(names) != 1 {
		return nil, fmt.Errorf("%s: an input is one tensor, and the file holds %d", path, len(names))
	}
	return f.Tensor(names[0])
}

// Inputs reads the inputs that flags name; without any, the samples that
// lie beside the model as input_0.npy, input_1.npy, …
func Inputs(model string, given []string) ([]*buf.Buffer, error) {
	if len(given) == 0 {
		for i := 0; ; i++ {
			path := filepath.Join(filepath.Dir(model), fmt.Sprintf("input_%d.npy", i))
			if _, err := os.Stat(path); err != nil {
				break
			}
			given = append(given, path)
		}
	}
	var inputs []*buf.Buffer
	for _, path := range given {
		b, err := ReadInput(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, b)
	}
	return inputs, nil
}

// TypesOf are the types of buffers.
func TypesOf(inputs []*buf.Buffer) []ops.TensorType {
	types := make([]ops.TensorType, len(inputs))
	for i, b := range inputs {
		types[i] = ops.TensorType{DType: b.DType, Shape: b.Shape}
	}
	return types
}

// IsArtifact reports whether a file is named as a compiled model.
func IsArtifact(path string) bool { return strings.EqualFold(filepath.Ext(path), ".acap") }

// LoadArtifact makes the program of a file for a device, and tells if it was compiled again.
func LoadArtifact(path string, dev device.Device) (device.Executable, error) {
	file, err := artifact.Open(path)
	if err != nil {
		return nil, err
	}
	exe, notice, err := file.Load(context.Background(), dev)
	if notice != "" {
		fmt.Fprintln(os.Stderr, "acap: "+notice)
	}
	return exe, err
}
