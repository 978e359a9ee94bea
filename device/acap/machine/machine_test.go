package machine_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
)

func TestPresets(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Check(); err != nil {
			t.Error(err)
		}
		if m.Name != name || m.Title == "" {
			t.Errorf("%s is called %q, %q", name, m.Name, m.Title)
		}
		constants := 0
		walk(reflect.ValueOf(m).Elem(), name, func(path string, c machine.Constant) {
			if c == (machine.Constant{}) {
				return
			}
			constants++
			if c.Source == "" || c.Evidence == "" {
				t.Errorf("%s = %v has no source or evidence", path, c)
			}
		})
		if constants < 15 {
			t.Errorf("%s has %d constants", name, constants)
		}
	}
}

// walk visits all constants of a value.
func walk(v reflect.Value, path string, visit func(string, machine.Constant)) {
	if c, ok := v.Interface().(machine.Constant); ok {
		visit(path, c)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			walk(v.MapIndex(k), path+"."+k.String(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), path, visit)
		}
	}
}

// TestShapes pins the grids: see the tables of devices of mlir-aie.
func TestShapes(t *testing.T) {
	for name, want := range map[string][4]int{ // columns, core rows, mem rows, cores
		"npu1": {4, 4, 1, 16}, "npu2": {8, 4, 1, 32}, "vek280": {38, 8, 2, 304},
		"vck190": {50, 8, 0, 400}, "vck5000": {50, 8, 0, 400}, "systolic-8x16-ws": {16, 8, 0, 128},
	} {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		got := [4]int{m.Grid.Cols, m.Grid.CoreRows, m.Grid.MemRows, m.Grid.Cores()}
		if got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := m.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		back, err := machine.Read(&b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(m, back) {
			t.Errorf("%s changed on its way through JSON", name)
		}
	}
}

func TestReadErrors(t *testing.T) {
	const npu1 = `{"base": "npu1", `
	style := `"compute": {"styles": {"vector": {"efficiency": 2}}}}`
	for text, want := range map[string]string{
		``:                                   "unexpected end",
		`{"name": "x",}`:                     "1:14",
		"{\n \"name\": 3}":                   "2:10: name must be a string",
		`[]`:                                 "1:1: a machine must be an object",
		`{"base": "npu9"}`:                   `no machine "npu9"`,
		`{"name": "x"}`:                      `1:1: no machine is named to start from, such as "base": "npu1"`,
		`{"name": "x", "family": "aie2"}`:    "grid.cols is 0",
		npu1 + `"x": 1}`:                     `1:18: a machine has no field "x"; there are arrays, base, clock`,
		npu1 + "\n\"core\": {\"memry\": 1}}": `2:10: core has no field "memry"`,
		npu1 + "\n\"core\": {\"memory\": \"64k\"}}":                            "2:20: core.memory must be a number",
		npu1 + "\n\"core\":\n {\"memory\": 6}}":                                "3:13: machine npu1: core.memory is 6",
		npu1 + `"name": "a", "name": "b"}`:                                     "name is given twice",
		npu1 + `"core": null}`:                                                 "1:26: core is null",
		npu1 + `"grid": {"cols": 1.5}}`:                                        "grid.cols must be a whole number",
		npu1 + `"compute": {"shapes": {"i8": [1, 2]}}}`:                        "compute.shapes.i8 has 2 elements, want 3",
		npu1 + `"energy": {"ddr": -5}}`:                                        "energy.ddr is -5",
		npu1 + `"stream": {"hop": -3}}`:                                        "stream.hop is -3",
		npu1 + `"clock": -1}`:                                                  "clock is -1",
		npu1 + `"grid": {"cols": 99999}}`:                                      "grid.cols",
		npu1 + `"grid": {"shim_dma": [1, 1]}}`:                                 "grid.shim_dma",
		npu1 + `"grid": {"dead": [{"col": 0, "row": 0}]}}`:                     "grid.dead",
		npu1 + `"core": {"locks": 1.5}}`:                                       "whole number",
		npu1 + `"clock": {"value": 1e9, "evidence": "rumour"}}`:                "evidence",
		npu1 + `"clock": {"value": 1e9, "because": "so"}}`:                     `clock has no field "because"`,
		npu1 + `"host": {"launch": {"value": 0.05, "unit": "us"}}}`:            "1:37: machine npu1: host.launch is in us, want a number of s",
		npu1 + `"modes": {"turbo": {"clock": {"value": 1e6, "unit": "kHz"}}}}`: "modes.turbo.clock is in kHz, want a number of Hz",
		npu1 + style:                          "efficiency",
		npu1 + `"shim": {"descriptors": 15}}`: "shim.descriptors is 15, want 16 to 4096: one for each task",
		npu1 + `"shim": {"queue": 5}}`:        "shim.descriptors is 16, want 20",
		npu1 + `"shim": {"locks": -1}}`:       "shim.locks is -1",
		npu1 + `"shim": {"memory": -1}}`:      "shim.memory is -1",
		npu1 + `"compute": {"styles": {"gemv": {"efficiency": 1, "amid": -1}}}}`: "compute.styles.gemv.amid is -1",
		npu1 + `"compute": {"routines": {"attention": {"amid": 1e300}}}}`:        "compute.routines.attention.amid is 1e+300",
	} {
		if _, err := machine.Read(strings.NewReader(text)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// TestReadErrorsOrder has a machine with several mistakes always say the same.
func TestReadErrorsOrder(t *testing.T) {
	m, err := machine.Preset("npu2")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range m.Compute.MACs {
		c.Value = -1
		m.Compute.MACs[name] = c
	}
	want := m.Check().Error()
	for range 10 {
		if got := m.Check().Error(); got != want {
			t.Fatalf("%s, before %s", got, want)
		}
	}
}

// TestNoColumns: a machine without columns is refused for this alone, and not for each column of its lists as well.
func TestNoColumns(t *testing.T) {
	m, err := machine.Preset("npu1")
	if err != nil {
		t.Fatal(err)
	}
	m.Grid.Cols = 0
	if err := m.Check(); err == nil || err.Error() != "machine npu1: grid.cols is 0, want 1 to 256" {
		t.Fatal(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"base": "npu1", "name": "mine", "grid": {"cols": 2, "shim_dma": [0, 1]}}`)
	f.Add(`{"base": "systolic-4x4-is", "clock": {"value": 1e9, "source": "me"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := machine.Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := m.Check(); err != nil {
			t.Errorf("Read returned an invalid machine: %v", err)
		}
		_ = m.Picture()
	})
}

func TestKindAt(t *testing.T) {
	m, err := machine.Preset("npu1")
	if err != nil {
		t.Fatal(err)
	}
	for c, want := range map[machine.Coord]machine.TileKind{
		{Col: 0, Row: 0}: machine.ShimTile, {Col: 3, Row: 1}: machine.MemTile,
		{Col: 3, Row: 5}: machine.CoreTile, {Col: 4, Row: 2}: machine.NoTile,
		{Col: 0, Row: 6}: machine.NoTile, {Col: -1, Row: 0}: machine.NoTile,
	} {
		if got := m.KindAt(c); got != want {
			t.Errorf("%v is %v, want %v", c, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	g := machine.Grid{Cols: 8, CoreRows: 4, MemRows: 1}
	for _, c := range []struct {
		dead             machine.Coord
		cols, rows       int // of a grid
		col, row, widest int // its place, and the most columns of as many rows
	}{
		{machine.Coord{Col: 7, Row: 2}, 7, 4, 0, 0, 7},
		{machine.Coord{Col: 0, Row: 2}, 7, 4, 1, 0, 7},
		{machine.Coord{Col: 0, Row: 2}, 8, 3, 0, 1, 8},
		{machine.Coord{Col: 0, Row: 5}, 8, 3, 0, 0, 8},
		{machine.Coord{Col: 4, Row: 4}, 4, 4, 0, 0, 4},
		{machine.Coord{Col: 3, Row: 4}, 4, 4, 4, 0, 4},
		{machine.Coord{Col: 4, Row: 3}, 8, 2, 0, 2, 8},
	} {
		g.Dead = []machine.Coord{c.dead}
		col, row, ok := g.Place(c.cols, c.rows)
		if !ok || col != c.col || row != c.row {
			t.Errorf("%d x %d without %v: at %d, %d, %v", c.cols, c.rows, c.dead, col, row, ok)
		}
		for n := range g.Cols + 1 {
			if fits := g.Tallest(n) >= c.rows; fits != (n <= c.widest) {
				t.Errorf("%d x %d without %v: %v", n, c.rows, c.dead, fits)
			}
		}
	}
	g.Dead = nil
	for row := range g.CoreRows {
		for col := range g.Cols {
			g.Dead = append(g.Dead, machine.Coord{Col: col, Row: g.CoreRow(row)})
		}
	}
	if g.Tallest(1) != 0 {
		t.Error("a place among dead tiles")
	}
}

func TestMACRate(t *testing.T) {
	m, err := machine.Preset("npu1")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		a, b dtype.DType
		want float64
	}{{dtype.I8, dtype.I8, 256}, {dtype.I8, dtype.I16, 128}, {dtype.BF16, dtype.BF16, 128},
		{dtype.F64, dtype.F64, 0.025}, {dtype.C64, dtype.C64, 0}} {
		if got, ok := m.MACRate(c.a, c.b); got != c.want || ok != (c.want > 0) {
			t.Errorf("%v x %v: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func ExamplePreset() {
	m, err := machine.Preset("npu1")
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Title)
	fmt.Println(m.Core.Memory, "from", m.Core.Memory.Source)
	fmt.Print(m.Picture())
	// Output:
	// AMD Ryzen AI NPU, Phoenix and Hawk Point (XDNA, AIE-ML)
	// 65536 B from mlir-aie AIETargetModel.h
	//     5   C C C C   cores
	//     4   C C C C   cores
	//     3   C C C C   cores
	//     2   C C C C   cores
	//     1   M M M M   memory
	//     0   D D D D   interface
}

func ExampleRead() {
	text := `{"base": "npu1", "name": "npu1-fast", "clock": {"value": 1.5e9, "source": "wish"},
		"ddr": {"read": 32e9}}`
	m, err := machine.Read(strings.NewReader(text))
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Name, m.Clock, m.Clock.Evidence, m.DDR.Read, m.DDR.Read.Source)
	// Output:
	// npu1-fast 1.5e+09 Hz assumed 3.2e+10 B/s user
}

func ExampleSystolic() {
	m := machine.Systolic(2, 4, machine.OutputStationary)
	fmt.Println(m.Name, "has", m.Grid.Cores(), "cells")
	// Output:
	// systolic-2x4-os has 8 cells
}

// TestManualRates compares the rates of cores with the table of AMD AM020's summary, operations of a tile in a cycle,
// where a multiply-accumulate is two.
func TestManualRates(t *testing.T) {
	aie := map[string]float64{"i8": 256, "i16": 64, "i32": 16, "f32": 16}
	ml := map[string]float64{"i8xi4": 1024, "i8": 512, "i16": 128, "i32": 32, "bf16": 256, "f32": 42}
	for name, table := range map[string]map[string]float64{"vck190": aie, "vck5000": aie, "npu1": ml, "vek280": ml} {
		m, err := machine.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		for types, want := range table {
			if got := 2 * m.Compute.MACs[types].Value; got != want {
				t.Errorf("%s: %g operations a cycle of %s, want %g", name, got, types, want)
			}
		}
	}
}

// TestScratchpads: names say sizes, JSON keeps them, and half of them is no machine.
func TestScratchpads(t *testing.T) {
	_, err := machine.Preset("systolic-99999x4-ws")
	require.ErrorContains(t, err, "grid.core_rows is 99999, want 1 to 65536")
	_, err = machine.Preset("systolic-8x4-ws-0+0+0K@1")
	require.ErrorContains(t, err, "scratchpads.input is 0 B")
	m, err := machine.Preset("systolic-8x4-ws-1+2+3K@5")
	require.NoError(t, err)
	p := m.Scratchpads
	require.Equal(t, []float64{1024, 2048, 3072, 5e9}, []float64{p.Input.Value, p.Filter.Value, p.Output.Value, m.DDR.Read.Value})
	var text bytes.Buffer
	require.NoError(t, m.WriteJSON(&text))
	again, err := machine.Read(bytes.NewReader(text.Bytes()))
	require.NoError(t, err)
	require.Equal(t, m, again)
	_, err = machine.Read(strings.NewReader(`{"base":"systolic","scratchpads":{"input":1024}}`))
	require.ErrorContains(t, err, "scratchpads.filter")
	require.ErrorContains(t, err, "scratchpads.output")
	require.NotContains(t, err.Error(), "scratchpads.input")
}
