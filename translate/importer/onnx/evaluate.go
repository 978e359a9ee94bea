package onnx

import (
	"errors"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// evaluator walks graphs. Its scopes hold the values of the names.
type evaluator struct {
	model   *Model
	builder importer.Counted
	opsets  map[string]int64
	scope   *scope
	path    string                      // of subgraphs, for messages
	given   map[string]*proto.Attribute // of the function that runs
	depth   int

	steps, maxSteps int
	worked          int // elements computed here
}

type scope struct {
	values map[string]*value
	outer  *scope
	graph  *proto.Graph  // that runs; nil for a function
	uses   *uses         // of the names in it, once they are asked for
	ran    []*proto.Node // so far, for those that differentiate them
}

func newEvaluator(m *Model, b importer.Builder) *evaluator {
	ev := &evaluator{model: m, opsets: m.proto.Opsets, scope: &scope{values: map[string]*value{}},
		maxSteps: maxSteps + stepsPerNode*m.nodes}
	ev.builder = importer.Counted{Builder: b, Count: func() { ev.step(1) }}
	return ev
}

func (ev *evaluator) define(name string, v *value) {
	if name != "" {
		ev.scope.values[name] = v
	}
}

func (ev *evaluator) lookup(name string) *value {
	for s := ev.scope; s != nil; s = s.outer {
		if v := s.values[name]; v != nil {
			return v
		}
	}
	return nil
}

// run executes a graph in the current scope and returns its outputs.
func (ev *evaluator) run(g *proto.Graph) []*value {
	ev.scope.graph = g
	for _, t := range g.Initializers {
		ev.define(t.Name, ev.model.weights[t])
	}
	for _, n := range g.Nodes {
		ev.node(n)
	}
	out := make([]*value, len(g.Outputs))
	for i, o := range g.Outputs {
		if out[i] = ev.lookup(o.Name); out[i] == nil {
			failf("output %q is the result of no node", o.Name)
		}
	}
	return out
}

// subgraph runs a graph of an attribute in a scope of its own with the given inputs.
func (ev *evaluator) subgraph(path string, g *proto.Graph, inputs []*value) []*value {
	if len(inputs) != len(g.Inputs) {
		failf("the subgraph takes %d inputs, not %d", len(g.Inputs), len(inputs))
	}
	outer, outerPath := ev.scope, ev.path
	ev.scope = &scope{values: map[string]*value{}, outer: outer}
	ev.path = joinPath(outerPath, path)
	ev.enter()
	for i, in := range g.Inputs {
		ev.define(in.Name, inputs[i])
	}
	out := ev.run(g)
	ev.scope, ev.path = outer, outerPath
	ev.depth--
	return out
}

func joinPath(outer, inner string) string {
	if outer == "" || inner == "" {
		return outer + inner
	}
	return outer + "/" + inner
}

func (ev *evaluator) enter() {
	ev.step(1)
	if ev.depth++; ev.depth > maxCalls {
		failf("functions and subgraphs are nested more than %d deep", maxCalls)
	}
}

// call runs a function of the model.
func (ev *evaluator) call(f *proto.Function, n *node) {
	given := map[string]*proto.Attribute{}
	for name, a := range f.Defaults {
		given[name] = a
	}
	for name, a := range n.attributes {
		given[name] = a
	}
	outer := *ev
	ev.scope = &scope{values: map[string]*value{}}
	ev.path, ev.given = joinPath(outer.path, f.Name), given
	if len(f.Opsets) > 0 {
		ev.opsets = f.Opsets
	}
	ev.enter()
	for i, name := range f.Inputs {
		if i < len(n.in) && n.in[i] != nil {
			ev.define(name, n.in[i])
		}
	}
	for _, p := range f.Nodes {
		ev.node(p)
	}
	for i, name := range f.Outputs {
		if i < len(n.out) {
			if n.out[i] = ev.lookup(name); n.out[i] == nil {
				failf("output %q is the result of no node", name)
			}
		}
	}
	ev.scope, ev.path, ev.given, ev.opsets = outer.scope, outer.path, outer.given, outer.opsets
	ev.depth--
}

// tensor returns a value as one of the builder.
func (ev *evaluator) tensor(v *value) ops.Value {
	if v.fault != nil {
		failf("%w", v.fault)
	}
	if v.isList {
		failf("a sequence stands where a tensor is needed")
	}
	if v.keys != nil {
		failf("a map stands where a tensor is needed")
	}
	if v.absent {
		failf("an optional value is absent where a tensor is needed")
	}
	if v.texts != nil {
		failf("texts stand where numbers are needed")
	}
	if v.tensor == nil {
		return ev.builder.Constant(v.name, v.known)
	}
	return v.tensor
}

// reads reports whether the builder can tell the elements of what it was given.
func (ev *evaluator) reads() bool {
	_, ok := ev.builder.Reader()
	return ok
}

// elements returns the elements of a value, which must be known or which the builder can read; name
// stands for it in messages.
func (ev *evaluator) elements(v *value, name string) *buf.Buffer {
	if !v.isTensor() || v.texts != nil {
		failf("%q is no tensor of numbers", name)
	}
	if v.known != nil {
		return v.known
	}
	err := errors.New("it depends on the model's inputs")
	if reader, ok := ev.builder.Reader(); ok {
		if v.derive(reader, strconv.Quote(name)) {
			return v.known
		}
		if v.known, err = reader.Read(v.tensor, strconv.Quote(name)); err == nil {
			return v.known
		}
	}
	failf("the elements of %q must be known before the model runs: %w", name, err)
	return nil
}

// node executes one node.
func (ev *evaluator) node(p *proto.Node) {
	n := &node{Node: p, ev: ev, Emit: ops.Emit{Builder: ev.builder},
		attributes: ev.attributes(p), in: make([]*value, len(p.Inputs)),
		out: make([]*value, len(p.Outputs))}
	defer ev.position(p, ev.path)
	ev.step(1)
	if len(n.out) == 0 {
		failf("has no output")
	}
	for i, name := range p.Inputs {
		if name == "" {
			continue
		}
		if n.in[i] = ev.lookup(name); n.in[i] == nil {
			failf("input %q is the result of no node before", name)
		}
	}
	ev.builder.SetLocation(mlir.Location{File: filepath.Base(ev.model.Name), Line: p.Index + 1,
		Name: joinPath(ev.path, p.Name)})
	n.execute()
	for i, name := range p.Outputs {
		v := n.out[i]
		if v == nil {
			continue
		}
		if moving[p.Op] && p.Domain == "" && v.elem == 0 && len(n.in) > 0 && n.in[0] != nil {
			v.elem = n.in[0].elem
		}
		if v.fault == nil && v.isTensor() && len(v.dims()) > proto.MaxRank {
			failf("a result has %d dimensions; up to %d are supported", len(v.dims()), proto.MaxRank)
		}
		ev.define(name, v)
	}
	ev.scope.ran = append(ev.scope.ran, p)
}

// attributes returns the attributes of a node. A reference is replaced by the attribute of the function that runs.
func (ev *evaluator) attributes(p *proto.Node) map[string]*proto.Attribute {
	all := make(map[string]*proto.Attribute, len(p.Attributes))
	for name, a := range p.Attributes {
		if a.Ref != "" {
			a = ev.given[a.Ref]
		}
		if a != nil {
			all[name] = a
		}
	}
	return all
}

// position makes the panics of a node an error with its place, which the entry points return.
func (ev *evaluator) position(p *proto.Node, path string) {
	var err error
	switch f := recover().(type) {
	case nil:
		return
	case fault:
		err = f.err
	case error: // of package ops, or a mistake of the code
		if err = importer.Bug(f); err == nil {
			err = f
		}
	default: // a text
		err = importer.Bug(f)
	}
	var inner *Error
	if !errors.As(err, &inner) {
		op := p.Op
		if p.Domain != "" {
			op = p.Domain + "." + op
		}
		err = &Error{Graph: path, Index: p.Index, Name: p.Name, Op: op, Err: err}
	}
	panic(fault{err})
}

// execute runs the node: a function of the model, a computation on known values, or an operator.
func (n *node) execute() {
	if f := n.ev.model.proto.Functions[n.Key()]; f != nil {
		n.ev.call(f, n)
		return
	}
	version, ok := n.ev.opsets[n.Domain]
	if !ok {
		failf("the model imports no version of the domain %q", n.Domain)
	}
	n.version = version
	n.checkSchema()
	if n.Domain == "" && moving[n.Op] && n.hasTexts() {
		n.moveTexts(n.operate)
		return
	}
	n.operate()
}

// operate computes on known values, or runs the operator.
func (n *node) operate() {
	if n.Domain == "" && n.fold() {
		return
	}
	run := operators[n.Key()]
	if run == nil && n.Domain == "com.microsoft.nchwc" {
		failf("the operator is for the blocks of channels of one processor, which ONNX Runtime chose when it wrote the model: save the optimized model with ORT_ENABLE_EXTENDED")
	}
	if run == nil {
		failf("the operator is not supported; a function of the model may define it")
	}
	run(n)
	if n.Domain == "" && folds[n.Op] != nil && len(n.out) == 1 && n.out[0] != nil && !slices.Contains(n.in, n.out[0]) {
		n.out[0].source = n
	}
}
