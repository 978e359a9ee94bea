package main

import (
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
)

// group is rows that determine some constants of one machine together.
type group struct {
	name    string
	machine string
	rows    func(*predict.Row) bool
	// tie ties constants together after each step of the fit.
	tie       func(*machine.Machine)
	constants []constant
}

// constant is one number to fit. High is an upper limit, 0 for none.
type constant struct {
	name string
	get  func(*machine.Machine) float64
	set  func(*machine.Machine, float64)
	high float64
}

// field makes a constant of a machine's field.
func field(name string, high float64, at func(*machine.Machine) *machine.Constant) constant {
	return constant{
		name: name, high: high,
		get: func(m *machine.Machine) float64 { return at(m).Value },
		set: func(m *machine.Machine, v float64) { at(m).Value = v },
	}
}

// style makes a constant of a kernel style.
func style(key, name string, high float64, at func(*machine.Style) *machine.Constant) constant {
	return constant{
		name: key + "." + name, high: high,
		get: func(m *machine.Machine) float64 {
			s := m.Compute.Styles[key]
			return at(&s).Value
		},
		set: func(m *machine.Machine, v float64) {
			s := m.Compute.Styles[key]
			at(&s).Value = v
			m.Compute.Styles[key] = s
		},
	}
}

// routine makes a constant of a routine.
func routine(key, name string, at func(*machine.Routine) *machine.Constant) constant {
	return constant{
		name: key + "." + name,
		get: func(m *machine.Machine) float64 {
			r := m.Compute.Routines[key]
			return at(&r).Value
		},
		set: func(m *machine.Machine, v float64) {
			r := m.Compute.Routines[key]
			at(&r).Value = v
			m.Compute.Routines[key] = r
		},
	}
}

func launch(m *machine.Machine) *machine.Constant  { return &m.Host.Launch }
func restart(m *machine.Machine) *machine.Constant { return &m.Host.Restart }
func read(m *machine.Machine) *machine.Constant    { return &m.DDR.Read }
func write(m *machine.Machine) *machine.Constant   { return &m.DDR.Write }
func total(m *machine.Machine) *machine.Constant   { return &m.DDR.Total }

func efficiency(s *machine.Style) *machine.Constant { return &s.Efficiency }
func call(s *machine.Style) *machine.Constant       { return &s.Call }
func cast(s *machine.Style) *machine.Constant       { return &s.Cast }
func convert(s *machine.Style) *machine.Constant    { return &s.Convert }
func block(s *machine.Style) *machine.Constant      { return &s.Block }
func update(s *machine.Style) *machine.Constant     { return &s.Update }
func widen(s *machine.Style) *machine.Constant      { return &s.Widen }
func element(r *machine.Routine) *machine.Constant  { return &r.Element }
func perRow(r *machine.Routine) *machine.Constant   { return &r.Row }
func perCall(r *machine.Routine) *machine.Constant  { return &r.Call }
func load(r *machine.Routine) *machine.Constant     { return &r.Load }

func burst(i int) func(*machine.Machine) *machine.Constant {
	return func(m *machine.Machine) *machine.Constant { return &m.DDR.Burst[i].Share }
}

func named(device string, workloads ...string) func(*predict.Row) bool {
	return func(r *predict.Row) bool {
		if !strings.HasPrefix(strings.ToLower(r.Device), device) || device == "npu2" && !strings.HasPrefix(r.DType, "bf16") {
			return false // npu2's kernels of other types have constants from manuals
		}
		for _, w := range workloads {
			if r.Workload == w || strings.HasPrefix(r.Workload, w+" ") {
				return true
			}
		}
		return false
	}
}

// ordinary leaves out the rows that no constants are fitted to.
func ordinary(rows func(*predict.Row) bool) func(*predict.Row) bool {
	return func(r *predict.Row) bool { return rows(r) && !r.LeftOut() }
}

// plain is the share of npu2's rate for bf16 that is its rate without bfp16. All rows
// were measured with K of a call about alike, so that they do not tell the inner loop
// from the loads and stores of its sums: the former is not taken to be faster.
const plain = 0.25

func groups() []group {
	g := []group{
		{name: "npu1 gemm", machine: "npu1", rows: named("npu1", "gemm"), tie: tieWrite, constants: []constant{
			field("host.launch", 0, launch), field("host.restart", 0, restart),
			field("ddr.read", 0, read),
			style("vector", "efficiency", 1, efficiency), style("vector", "call", 0, call),
			field("ddr.pitch.4096", 1, func(m *machine.Machine) *machine.Constant {
				return &m.DDR.Pitch[0].Share
			}),
		}},
		{name: "npu2 products", machine: "npu2", rows: named("npu2", "gemm", "gemv"), tie: tieCast,
			constants: []constant{
				field("host.launch", 0, launch),
				field("host.restart", 0, restart),
				field("ddr.burst.512", 1, burst(1)), field("ddr.burst.256", 1, burst(2)),
				field("ddr.burst.0", 1, burst(3)),
				style("external", "efficiency", plain, efficiency), style("external", "update", 0, update),
				style("external", "block", 0, block), style("direct", "block", 0, block),
				style("direct", "efficiency", 1, efficiency), style("direct", "update", 0, update),
				style("direct", "widen", 0, widen),
				style("fused-cast", "cast", 0, cast), style("drain", "convert", 0, convert),
			}},
		{name: "npu2 flat", machine: "npu2", tie: tieLoad,
			rows: named("npu2", "eltwise_add", "rope", "silu_mul"), constants: []constant{
				routine("add", "load", load), field("ddr.total", 0, total),
				routine("add", "element", element), routine("silu_mul", "element", element),
				routine("rope", "element", element), routine("rope", "row", perRow),
			}},
		{name: "npu2 gelu", machine: "npu2", rows: named("npu2", "gelu", "gelu_tanh"),
			constants: []constant{routine("gelu", "element", element)}},
		{name: "npu2 rmsnorm", machine: "npu2", rows: ordinary(named("npu2", "rmsnorm")),
			constants: []constant{routine("rmsnorm", "element", element),
				routine("rmsnorm", "row", perRow)}},
		{name: "npu2 layernorm", machine: "npu2", rows: named("npu2", "layernorm"),
			constants: []constant{routine("layernorm", "element", element)}},
		{name: "npu2 attention", machine: "npu2", rows: named("npu2", "flash_attention"),
			constants: []constant{routine("attention", "element", element),
				routine("attention", "call", perCall), routine("attention", "load", load)}},
	}
	for _, board := range []string{"vck190", "vck5000"} {
		g = append(g, group{name: board + " gemm", machine: board, rows: named(board, "gemm"),
			constants: []constant{field("ddr.read", 0, read), field("ddr.write", 0, write)}})
	}
	return g
}

// tieWrite takes writes to be as fast as reads, beside each other.
func tieWrite(m *machine.Machine) {
	m.DDR.Write.Value, m.DDR.Total.Value = m.DDR.Read.Value, 2*m.DDR.Read.Value
}

// tieCast keeps the inner kernels of the converting styles equal to the plain style's.
func tieCast(m *machine.Machine) {
	from := m.Compute.Styles["external"]
	for _, name := range []string{"fused-cast", "drain"} {
		to := m.Compute.Styles[name]
		to.Efficiency, to.Update, to.Block = from.Efficiency, from.Update, from.Block
		m.Compute.Styles[name] = to
	}
}

// tieLoad gives all flat kernels the load time of the first.
func tieLoad(m *machine.Machine) {
	for name, r := range m.Compute.Routines {
		if name != "attention" && r.Load.Value > 0 {
			r.Load.Value = m.Compute.Routines["add"].Load.Value
			m.Compute.Routines[name] = r
		}
	}
}
