package expand

import (
	"maps"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// Bounds of the expansion of programs that run side by side.
const (
	maxProcesses  = 1024
	maxOperations = 1 << 18
	maxCalls      = 64
)

// parallel replaces every interpreter.run_parallel by the operations of its processes, one process behind the other as
// far as the order of waiting allows. Where a process waits for another, the exchanged value is known by its name.
func parallel(module *mlir.Operation) {
	programs := map[string]bool{}
	for _, f := range module.Funcs() {
		if f.Body() == nil {
			continue
		}
		err := mlir.Rewrite(f, func(r *mlir.Rewriter, op *mlir.Operation) error {
			if op.Name == "interpreter.run_parallel" {
				r.Replace(newGrid(module, op, emitter{&r.Builder}).run()...)
				maps.Copy(programs, op.Symbols())
			}
			return nil
		})
		if err != nil {
			fail(f, "%v", err)
		}
	}
	if len(programs) == 0 {
		return
	}
	called := module.Symbols()
	module.Body().Ops = slices.DeleteFunc(module.Body().Ops, func(f *mlir.Operation) bool {
		return programs[f.Symbol()] && !called[f.Symbol()]
	})
}

// grid are the processes of one run_parallel, replica by replica.
type grid struct {
	emitter
	module               *mlir.Operation
	op                   *mlir.Operation
	replicas, partitions int
	processes            []*process
	feed                 []string // functions that give what infeed reads
	channels             map[int64][][]*mlir.Value
	count                int
}

// process is one program that runs.
type process struct {
	replica, partition int
	frames             []frame
	waits              *mlir.Operation // for other processes
	results            []*mlir.Value
	done               bool
}

// frame is a function that a process is in.
type frame struct {
	ops    []*mlir.Operation // that are still to run
	values map[*mlir.Value]*mlir.Value
	call   *mlir.Operation // in the frame below; nil for the program
}

func newGrid(module, op *mlir.Operation, e emitter) *grid {
	g := &grid{emitter: e, module: module, op: op, channels: map[int64][][]*mlir.Value{}}
	programs, _ := op.Attrs.Get("programs").(mlir.ArrayAttr)
	operands := op.Operands
	for r, row := range programs {
		list, _ := row.(mlir.ArrayAttr)
		if r > 0 && len(list) != g.partitions {
			fail(op, "replicas of %d and %d partitions", g.partitions, len(list))
		}
		g.replicas, g.partitions = r+1, len(list)
		for p, name := range list {
			f := g.function(name)
			n := len(f.Body().Args)
			if n > len(operands) || len(g.processes) == maxProcesses {
				fail(op, "operands for fewer arguments than the programs have, or more than %d programs", maxProcesses)
			}
			process := &process{replica: r, partition: p}
			process.enter(f, operands[:n], nil)
			operands = operands[n:]
			g.processes = append(g.processes, process)
		}
	}
	if len(operands) > 0 || len(g.processes) == 0 {
		fail(op, "%d programs leave %d operands", len(g.processes), len(operands))
	}
	feed, _ := op.Attrs.Get("infeed").(mlir.ArrayAttr)
	for _, name := range feed {
		if ref, ok := name.(mlir.SymbolRefAttr); ok && len(ref) == 1 {
			g.feed = append(g.feed, ref[0])
		}
	}
	return g
}

func (g *grid) function(name mlir.Attribute) *mlir.Operation {
	ref, _ := name.(mlir.SymbolRefAttr)
	if len(ref) != 1 {
		fail(g.op, "%v is no function", name)
	}
	f := g.module.Func(ref[0])
	if f == nil || f.Body() == nil || len(f.Regions[0].Blocks) != 1 {
		fail(g.op, "there is no function @%s of one block", ref[0])
	}
	return f
}

func (p *process) enter(f *mlir.Operation, args []*mlir.Value, call *mlir.Operation) {
	values := map[*mlir.Value]*mlir.Value{}
	for i, a := range f.Body().Args {
		values[a] = args[i]
	}
	p.frames = append(p.frames, frame{ops: f.Body().Ops, values: values, call: call})
}

func (p *process) top() *frame { return &p.frames[len(p.frames)-1] }

// in returns what stands for the operands of an operation.
func (p *process) in(op *mlir.Operation) []*mlir.Value {
	out := make([]*mlir.Value, len(op.Operands))
	for i, v := range op.Operands {
		out[i] = p.top().values[v]
	}
	return out
}

// finish gives the results of the operation that comes next, and passes it.
func (p *process) finish(op *mlir.Operation, results []*mlir.Value) {
	for i, v := range op.Results {
		p.top().values[v] = results[i]
	}
	p.top().ops, p.waits = p.top().ops[1:], nil
}

// run lets every process go on until it waits or ends, until all have ended.
func (g *grid) run() []*mlir.Value {
	for {
		moved, running := false, false
		for _, p := range g.processes {
			for !p.done && g.step(p) {
				moved = true
			}
			running = running || !p.done
		}
		if !running {
			break
		}
		for _, p := range g.processes {
			moved = p.waits != nil && g.exchange(p) || moved
		}
		if !moved {
			for _, p := range g.processes {
				if !p.done {
					fail(p.waits, "process (%d, %d) waits for others that never come here", p.replica, p.partition)
				}
			}
		}
	}
	var results []*mlir.Value
	for _, p := range g.processes {
		results = append(results, p.results...)
	}
	if len(results) != len(g.op.Results) {
		fail(g.op, "%d results of programs that return %d values", len(g.op.Results), len(results))
	}
	return results
}

// step runs the next operation of a process. It reports false if the process has to wait.
func (g *grid) step(p *process) bool {
	if len(p.top().ops) == 0 {
		fail(g.op, "a program ends without a return")
	}
	op := p.top().ops[0]
	if g.count++; g.count > maxOperations {
		fail(op, "the programs expand to more than %d operations", maxOperations)
	}
	switch op.Name {
	case "func.return":
		g.leave(p, p.in(op))
		return true
	case "func.call", "stablehlo.composite":
		ref := op.Attrs.Get("callee")
		if op.Name != "func.call" {
			ref = op.Attrs.Get("decomposition")
		}
		f := g.function(ref)
		if len(p.frames) == maxCalls || len(f.Body().Args) != len(op.Operands) {
			fail(op, "the call does not fit, or calls are nested deeper than %d", maxCalls)
		}
		p.enter(f, p.in(op), op)
		return true
	}
	if results, ok := g.alone(p, op); ok {
		p.finish(op, results)
		return true
	}
	if exchanges[op.Name] != nil || op.Name == "stablehlo.recv" {
		p.waits = op
		return false
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, inner := range b.Ops {
				inner.Walk(func(inner *mlir.Operation) {
					if exchanges[inner.Name] != nil || talks[inner.Name] {
						fail(inner, "processes cannot meet inside of %s", op.Name)
					}
				})
			}
		}
	}
	p.finish(op, g.Insert(op.Clone(maps.Clone(p.top().values))).Results)
	return true
}

// leave ends a function.
func (g *grid) leave(p *process, results []*mlir.Value) {
	call := p.top().call
	p.frames = p.frames[:len(p.frames)-1]
	if call == nil {
		p.results, p.done = results, true
		return
	}
	p.finish(call, results)
}

// talks are the operations of a process that [grid.alone] knows.
var talks = map[string]bool{"stablehlo.replica_id": true, "stablehlo.partition_id": true, "stablehlo.infeed": true,
	"stablehlo.outfeed": true, "stablehlo.send": true, "stablehlo.recv": true, "interpreter.print": true}

// alone runs an operation that knows of the other processes but needs none to be at the same place.
func (g *grid) alone(p *process, op *mlir.Operation) ([]*mlir.Value, bool) {
	in := p.in(op)
	switch op.Name {
	case "stablehlo.replica_id":
		return []*mlir.Value{g.splat(op.Result().Type.(mlir.TensorType), float64(p.replica))}, true
	case "stablehlo.partition_id":
		return []*mlir.Value{g.splat(op.Result().Type.(mlir.TensorType), float64(p.partition))}, true
	case "stablehlo.infeed":
		if len(g.feed) == 0 {
			fail(op, "there is nothing left to be fed")
		}
		name := g.feed[0]
		g.feed = g.feed[1:]
		results := op.Results[:len(op.Results)-1]
		f := g.function(mlir.SymbolRefAttr{name})
		fed := g.Create("func.call", nil, mlir.TypesOf(f.Body().Terminator().Operands),
			mlir.Attrs{{Name: "callee", Value: mlir.SymbolRefAttr{name}}}).Results
		if !slices.EqualFunc(mlir.TypesOf(fed), mlir.TypesOf(results), mlir.SameType) {
			fail(op, "@%s feeds values of other types", name)
		}
		return append(slices.Clone(fed), in[len(in)-1]), true
	case "stablehlo.outfeed":
		return in[len(in)-1:], true
	case "stablehlo.send":
		id := channel(op)
		g.channels[id] = append(g.channels[id], in)
		return in[len(in)-1:], true
	case "stablehlo.recv":
		id := channel(op)
		if len(g.channels[id]) == 0 {
			return nil, false
		}
		sent := g.channels[id][0]
		if !slices.EqualFunc(mlir.TypesOf(sent), mlir.TypesOf(op.Results), mlir.SameType) {
			fail(op, "channel %d has values of other types", id)
		}
		g.channels[id] = g.channels[id][1:]
		return append(slices.Clone(sent[:len(sent)-1]), in[len(in)-1]), true
	}
	return nil, false
}
