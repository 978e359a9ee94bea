package onnx

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/inputfile"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// The versions of ai.onnx that are understood.
const oldestVersion, newestVersion = 1, 28

// Model is a decoded and checked ONNX file. It does not change and may be used by many goroutines.
type Model struct {
	Name    string // the path of the file, for messages
	proto   *proto.Model
	nodes   int               // in the file, functions and subgraphs included
	inputs  []proto.ValueInfo // those that are not initializers
	weights map[*proto.Tensor]*value
}

// Input is an input of a model. An extent that the model leaves open is -1.
type Input struct {
	Name  string
	DType dtype.DType // Invalid if the model does not say
	Shape []int       // nil if the model does not say
}

// Load reads a model and the files beside it that hold its weights. Errors name the file, and the node or the weight
// that cannot be read.
func Load(path string) (*Model, error) {
	data, err := inputfile.Read(path)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	return read(data, path, func(name string) (io.ReaderAt, int64, func() error, error) {
		file, size, err := inputfile.OpenBeside(dir, name)
		if err != nil {
			return nil, 0, nil, err
		}
		return file, size, file.Close, nil
	})
}

// Read reads a model that is in memory as a whole. name stands for it in messages. Errors have the name, and the node
// or the weight that cannot be read; a weight in a file of its own is one.
func Read(data []byte, name string) (*Model, error) { return read(data, name, nil) }

func read(data []byte, name string, files proto.Opener) (m *Model, err error) {
	defer catch(name, &err)
	file, err := proto.Read(data)
	if err != nil {
		failf("%w", err)
	}
	m = &Model{Name: name, proto: file, weights: map[*proto.Tensor]*value{}}
	version, ok := m.proto.Opsets[""]
	if !ok && len(m.proto.Opsets) == 0 {
		version = oldestVersion // files before IR version 3 did not say
		m.proto.Opsets[""] = version
	}
	if ok && version < oldestVersion || version > newestVersion {
		failf("version %d of the operators of ai.onnx; %d to %d are supported", version, oldestVersion,
			newestVersion)
	}
	if err := m.proto.Graph.Check(); err != nil {
		failf("%w", err)
	}
	loader := &proto.Loader{Open: files}
	m.loadGraph(m.proto.Graph, loader)
	byName := func(a, b proto.Key) int {
		return cmp.Or(strings.Compare(a.Domain, b.Domain), strings.Compare(a.Name, b.Name), strings.Compare(a.Overload, b.Overload))
	}
	for _, key := range slices.SortedFunc(maps.Keys(m.proto.Functions), byName) {
		f := m.proto.Functions[key]
		if err := f.Check(); err != nil {
			failf("%w", err)
		}
		m.loadNodes(f.Nodes, loader)
		for _, a := range f.Defaults {
			m.loadAttribute(a, loader)
		}
	}
	initialized := map[string]bool{}
	for _, t := range m.proto.Graph.Initializers {
		initialized[t.Name] = true
	}
	for _, in := range m.proto.Graph.Inputs {
		if !initialized[in.Name] {
			m.inputs = append(m.inputs, in)
		}
	}
	return m, nil
}

// loadGraph makes buffers of all tensors of a graph.
func (m *Model) loadGraph(g *proto.Graph, from *proto.Loader) {
	for _, t := range g.Initializers {
		m.loadTensor(t, from)
		m.weights[t].name = t.Name
	}
	m.loadNodes(g.Nodes, from)
}

func (m *Model) loadNodes(nodes []*proto.Node, from *proto.Loader) {
	m.nodes += len(nodes)
	for _, n := range nodes {
		for _, a := range n.Attributes {
			m.loadAttribute(a, from)
		}
	}
}

func (m *Model) loadAttribute(a *proto.Attribute, from *proto.Loader) {
	if a.Tensor != nil {
		m.loadTensor(a.Tensor, from)
	}
	if a.Graph != nil {
		m.loadGraph(a.Graph, from)
	}
}

// loadTensor makes a tensor's buffer. A tensor whose element type is not supported stays without
// one: it may be one that nothing uses.
func (m *Model) loadTensor(t *proto.Tensor, from *proto.Loader) {
	v := &value{}
	if t.Elem == proto.ElemString {
		var err error
		if v.texts, err = t.Strings(); err != nil {
			failf("%w", err)
		}
	} else if _, err := proto.DTypeOf(t.Elem); err != nil {
		v.fault = err
	} else if v.known, err = from.Buffer(t); err != nil {
		failf("%w", err)
	}
	if proto.IsNarrow(t.Elem) {
		v.elem = t.Elem
	}
	m.weights[t] = v
}

// Inputs returns the model's inputs in order, without those that are weights.
func (m *Model) Inputs() []Input {
	list := make([]Input, len(m.inputs))
	for i, in := range m.inputs {
		list[i].Name = in.Name
		list[i].DType, _ = proto.DTypeOf(in.Elem) // or Invalid
		if !in.Ranked {
			continue
		}
		list[i].Shape = make([]int, len(in.Dims))
		for k, d := range in.Dims {
			if list[i].Shape[k] = -1; d.Known && d.Value >= 0 {
				list[i].Shape[k] = int(d.Value)
			}
		}
	}
	return list
}

// InputNames returns the names of the inputs in order.
func (m *Model) InputNames() []string {
	names := make([]string, len(m.inputs))
	for i, in := range m.inputs {
		names[i] = in.Name
	}
	return names
}

// OutputNames returns the names of the outputs in order.
func (m *Model) OutputNames() []string {
	names := make([]string, len(m.proto.Graph.Outputs))
	for i, out := range m.proto.Graph.Outputs {
		names[i] = out.Name
	}
	return names
}

// InputTypes returns the types of the inputs if the model gives all of them without open extents.
func (m *Model) InputTypes() (types []ops.TensorType, ok bool) {
	for _, in := range m.Inputs() {
		if in.DType == dtype.Invalid || in.Shape == nil {
			return nil, false
		}
		for _, n := range in.Shape {
			if n < 0 {
				return nil, false
			}
		}
		types = append(types, ops.TensorType{DType: in.DType, Shape: in.Shape})
	}
	return types, true
}

// Parameters returns the initializers by name. The buffers must not be changed.
func (m *Model) Parameters() map[string]*buf.Buffer {
	all := map[string]*buf.Buffer{}
	for _, t := range m.proto.Graph.Initializers {
		if v := m.weights[t]; v.known != nil {
			all[t.Name] = v.known
		}
	}
	return all
}

// Import returns the model's computation on inputs of the given types as a module of the aten
// dialect: one function main, whose arguments are the model's inputs. Every operation has its node
// as its location. An error is an [*Error] with the node that does not take the types, or whose results depend on
// elements.
func (m *Model) Import(inputs []ops.TensorType) (*mlir.Operation, error) {
	return importer.Module(m.Name, m.InputNames(), inputs, m.Forward)
}

// Specialize is [Model.Import] for given inputs. Where the structure of the model depends on elements of an input, such
// as a shape or a number of repetitions, these elements are read from inputs. run computes elements of intermediate
// values; run may be nil. An error is an [*Error] with the node.
func (m *Model) Specialize(inputs []*buf.Buffer, run importer.Run) (*mlir.Operation, error) {
	return importer.Specialized(m.Name, m.InputNames(), inputs, run, m.Forward)
}

// Forward sends the model's computation to a builder. inputs are the graph's inputs in order,
// without those that are initializers; results are its outputs. An error is an [*Error] with the node.
func (m *Model) Forward(b importer.Builder, inputs []ops.Value) (results []ops.Value, err error) {
	defer catch(m.Name, &err)
	ev := newEvaluator(m, b)
	values := make([]*value, len(inputs))
	for i, v := range inputs {
		values[i] = &value{tensor: v}
	}
	for i, v := range ev.forward(values) {
		if !v.isTensor() || v.texts != nil {
			failf("output %q is no tensor of numbers", m.proto.Graph.Outputs[i].Name)
		}
		results = append(results, ev.tensor(v))
	}
	return results, nil
}

// forward runs the model's graph on the inputs and returns its outputs.
func (ev *evaluator) forward(inputs []*value) []*value {
	m := ev.model
	if len(inputs) != len(m.inputs) {
		failf("takes %d inputs (%v), got %d", len(m.inputs), m.InputNames(), len(inputs))
	}
	for i, in := range m.Inputs() {
		v := inputs[i]
		switch elem := m.inputs[i].Elem; {
		case elem == proto.ElemString && v.tensor != nil:
			failf("input %q takes texts: Model.Bind of package onnx takes them", in.Name)
		case elem != proto.ElemString && elem != 0 && v.texts != nil:
			failf("input %q takes numbers, not texts", in.Name)
		}
		if v.tensor != nil {
			if elem := m.inputs[i].Elem; proto.IsNarrow(elem) {
				v.elem = elem
			}
			t := v.tensor.Type()
			if in.DType != dtype.Invalid && in.DType != t.DType {
				failf("input %q takes elements of %v, not %v", in.Name, in.DType, t.DType)
			}
			if in.Shape != nil && !accepts(in.Shape, t.Shape) {
				failf("input %q takes %s, not %s", in.Name, openShape(m.inputs[i].Dims), shape.String(t.Shape))
			}
		}
		inputs[i].given = v.tensor != nil
		ev.define(in.Name, inputs[i])
	}
	return ev.run(m.proto.Graph)
}

// accepts reports whether a shape fits one with open extents.
func accepts(want, have []int) bool {
	if len(want) != len(have) {
		return false
	}
	for i, n := range want {
		if n >= 0 && n != have[i] {
			return false
		}
	}
	return true
}

func openShape(dims []proto.Dim) string {
	text := "["
	for i, d := range dims {
		if i > 0 {
			text += " "
		}
		switch {
		case d.Known:
			text += fmt.Sprint(d.Value)
		case d.Param != "":
			text += d.Param
		default:
			text += "?"
		}
	}
	return text + "]"
}
