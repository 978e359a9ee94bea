package aie

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// sources and dests are the ports of a switch by the sort of its tile: data enter from sources and leave through dests.
var (
	sources = map[string]map[string]int{
		core.name: {"Core": 1, "DMA": 2, "FIFO": 1, "South": 6, "West": 4, "North": 4, "East": 4, "Trace": 2, "TileControl": 1},
		mem.name:  {"DMA": 6, "South": 6, "North": 4, "Trace": 1, "TileControl": 1},
		shim.name: {"FIFO": 1, "South": 8, "West": 4, "North": 4, "East": 4, "Trace": 1, "TileControl": 1},
	}
	dests = map[string]map[string]int{
		core.name: {"Core": 1, "DMA": 2, "FIFO": 1, "South": 4, "West": 4, "North": 6, "East": 4, "TileControl": 1},
		mem.name:  {"DMA": 6, "South": 4, "North": 6, "TileControl": 1},
		shim.name: {"FIFO": 1, "South": 6, "West": 4, "North": 6, "East": 4, "TileControl": 1},
	}
	// muxes are the ports between an interface tile's switch and what is outside.
	muxes = map[string]int{"DMA": 2, "NOC": 4, "PLIO": 8, "South": 8, "North": 8}
)

// has is the number of ports of a bundle. The first generation has a second port of a core and of its FIFO.
func has(table map[string]map[string]int, d device, k kind, at place, bundle string) int {
	n := table[k.name][bundle]
	switch {
	case d.first && k == core && (bundle == "Core" || bundle == "FIFO"):
		n = 2
	case d.first && k == shim && bundle == "FIFO":
		n = 2
	case bundle == "West" && at.col == 0, bundle == "East" && at.col == d.cols-1, bundle == "North" && at.row == d.rows-1:
		n = 0
	}
	return n
}

// wireOf is one side of a connection.
func wireOf(op *mlir.Operation, side string) (bundle string, channel int) {
	a, _ := op.Attrs.Get(side + "Bundle").(mlir.StringAttr)
	n, _ := intOf(op, side+"Channel")
	return string(a), n
}

// verifySwitch checks that the ports of its connections exist and that no two drive one.
func verifySwitch(op *mlir.Operation) error {
	d, known := deviceOf(op)
	k, sorted := kindOf(op.Operands[0])
	at, placed := placeOf(op.Operands[0])
	mux := op.Name == "aie.shim_mux"
	if mux && sorted && k != shim {
		return fmt.Errorf("is on a %s", k.name)
	}
	driven, entered := map[string]bool{}, map[string]bool{}
	for _, b := range op.Regions[0].Blocks {
		for _, c := range b.Ops {
			for _, side := range []string{"source", "dest"} {
				bundle, n := wireOf(c, side)
				if bundle == "" {
					continue
				}
				table, used := sources, entered
				if side == "dest" {
					table, used = dests, driven
				}
				most := muxes[bundle]
				if !mux {
					most = has(table, d, k, at, bundle)
				}
				if known && sorted && placed && (n < 0 || n >= most) {
					return fmt.Errorf("has no %s port %s : %d, of %d", side, bundle, n, most)
				}
				key := fmt.Sprint(bundle, n)
				if side == "dest" && used[key] || side == "source" && c.Name == "aie.packet_rules" && used[key] {
					return fmt.Errorf("uses the port %s : %d twice", bundle, n)
				}
				used[key] = true
			}
			if known && sorted && k == mem && c.Name == "aie.connect" {
				if err := straight(c); err != nil {
					return err
				}
			}
			if mux && c.Name != "aie.connect" && c.Name != "aie.end" {
				return fmt.Errorf("holds %s, and only connections belong there", c.Name)
			}
		}
	}
	return nil
}

// straight checks a connection of a mem tile's switch, which joins DMA, north and south, channels 2 of the DMA with 2
// and so on.
func straight(c *mlir.Operation) error {
	from, n := wireOf(c, "source")
	to, k := wireOf(c, "dest")
	if from == "DMA" && to == "DMA" && n != k || from == "North" && to == "North" || from == "South" && to == "South" && n != k {
		return fmt.Errorf("joins %s : %d with %s : %d, which a mem tile's switch does not", from, n, to, k)
	}
	return nil
}

// verifyFlow checks that the channels at both ends exist.
func verifyFlow(op *mlir.Operation) error {
	for i, side := range []string{"source", "dest"} {
		bundle, n := wireOf(op, side)
		k, ok := kindOf(op.Operands[i])
		most := 1
		switch bundle {
		case "DMA":
			most = k.channels
		case "Core":
			d, _ := deviceOf(op)
			if d.first {
				most = 2
			}
		case "Trace", "TileControl", "PLIO", "North", "South", "East", "West", "FIFO", "NOC", "Ctrl":
			continue
		case "":
			return fmt.Errorf("has no %sBundle with the name of a port; the stage aie-generic has numbers, for mlir-opt, and the stage aie-lowered is read", side)
		default:
			return fmt.Errorf("has no port %s", bundle)
		}
		if ok && bundle == "Core" && k != core {
			return fmt.Errorf("ends at a core on a %s", k.name)
		}
		if ok && (n < 0 || n >= most) {
			return fmt.Errorf("has no port %s : %d, and a %s has 0 to %d", bundle, n, k.name, most-1)
		}
	}
	return nil
}

func verifyArbiter(op *mlir.Operation) error {
	a, _ := intOf(op, "arbiterID")
	m, _ := intOf(op, "msel")
	if a < 0 || a > 5 || m < 0 || m > 3 {
		return fmt.Errorf("is arbiter %d and select %d of 0 to 5 and 0 to 3", a, m)
	}
	return nil
}

// verifyMaster checks that a port is driven by selects of one arbiter.
func verifyMaster(op *mlir.Operation) error {
	first := -1
	for _, v := range op.Operands {
		if v.Def == nil || v.Def.Name != "aie.amsel" {
			return fmt.Errorf("is driven by an operation that is no aie.amsel")
		}
		n, _ := intOf(v.Def, "arbiterID")
		if first >= 0 && n != first {
			return fmt.Errorf("is driven by the arbiters %d and %d", first, n)
		}
		first = n
	}
	if first < 0 {
		return fmt.Errorf("is driven by nothing")
	}
	return nil
}

func verifyRules(op *mlir.Operation) error {
	n := 0
	for _, b := range op.Regions[0].Blocks {
		for _, r := range b.Ops {
			if r.Name == "aie.rule" {
				n++
			}
		}
	}
	if n == 0 || n > 4 {
		return fmt.Errorf("has %d rules, and a port has 1 to 4", n)
	}
	return nil
}

func verifyRule(op *mlir.Operation) error {
	for _, name := range []string{"mask", "value"} {
		if n, _ := intOf(op, name); n < 0 || n > 31 {
			return fmt.Errorf("has the %s %d, and numbers of packets have 5 bits", name, n)
		}
	}
	if d := op.Operands[0].Def; d != nil && d.Name != "aie.amsel" {
		return fmt.Errorf("leads to an operation that is no aie.amsel")
	}
	return nil
}

func verifyPacket(op *mlir.Operation) error {
	t, _ := intOf(op, "packet_type")
	n, _ := intOf(op, "packet_id")
	if t < 0 || t > 7 || n < 0 || n > 31 {
		return fmt.Errorf("has the type %d and the number %d, of 3 and 5 bits", t, n)
	}
	return nil
}

// packetInfo checks #aie.packet_info<pkt_type = 7, pkt_id = 10>.
func packetInfo(text string) error {
	for i, name := range []string{"pkt_type", "pkt_id"} {
		most := []int{7, 31}[i]
		_, rest, ok := strings.Cut(text, name)
		n := 0
		if !ok {
			continue
		}
		if _, err := fmt.Sscanf(strings.TrimLeft(rest, " ="), "%d", &n); err == nil && (n < 0 || n > most) {
			return fmt.Errorf("has the %s %d, of 0 to %d", name, n, most)
		}
	}
	return nil
}

func verifyPacketFlow(op *mlir.Operation) error {
	if n, _ := intOf(op, "ID"); n < 0 || n > 31 {
		return fmt.Errorf("has the number %d, of 0 to 31", n)
	}
	from, to := 0, 0
	for _, b := range op.Regions[0].Blocks {
		for _, e := range b.Ops {
			switch e.Name {
			case "aie.packet_source":
				from++
			case "aie.packet_dest":
				to++
			case "aie.end":
			default:
				return fmt.Errorf("holds %s", e.Name)
			}
		}
	}
	if from == 0 || to == 0 {
		return fmt.Errorf("has %d sources and %d destinations", from, to)
	}
	return nil
}

func verifyEvent(op *mlir.Operation) error {
	if n, _ := intOf(op, "val"); n < 0 || n > 1 {
		return fmt.Errorf("is event %d of 0 and 1", n)
	}
	return nil
}

// verifyCascade checks that the cores are neighbours in the direction of the accumulators' link: east or south. In the
// first generation the link runs along a row, east and west in turn from row to row.
func verifyCascade(op *mlir.Operation) error {
	for _, v := range op.Operands {
		if k, ok := kindOf(v); ok && k != core {
			return fmt.Errorf("ends at a %s, and only cores have the link", k.name)
		}
	}
	a, from := placeOf(op.Operands[0])
	b, to := placeOf(op.Operands[1])
	d, known := deviceOf(op)
	if !from || !to || !known {
		return nil
	}
	east, south := b == place{a.col + 1, a.row}, b == place{a.col, a.row - 1}
	if d.first {
		south = false
		east = east || b == place{a.col - 1, a.row}
	}
	if !east && !south {
		return fmt.Errorf("leads from column %d and row %d to column %d and row %d, which are no neighbours in its direction",
			a.col, a.row, b.col, b.row)
	}
	return nil
}

func verifyConfigureCascade(op *mlir.Operation) error {
	if k, ok := kindOf(op.Operands[0]); ok && k != core {
		return fmt.Errorf("is on a %s, and only cores have the link", k.name)
	}
	in, _ := op.Attrs.Get("inputDir").(mlir.StringAttr)
	out, _ := op.Attrs.Get("outputDir").(mlir.StringAttr)
	if d, ok := deviceOf(op); ok && d.first {
		return fmt.Errorf("configures a part that is fixed in this array")
	}
	if in != "North" && in != "West" {
		return fmt.Errorf("comes from %s, and the link comes from North or West", string(in))
	}
	if out != "South" && out != "East" {
		return fmt.Errorf("leads to %s, and the link leads to South or East", string(out))
	}
	return nil
}

// verifyCascadeValue checks the width of what passes between accumulators.
func verifyCascadeValue(op *mlir.Operation) error {
	var t mlir.Type
	if len(op.Operands) > 0 {
		t = op.Operands[0].Type
	} else {
		t = op.Result().Type
	}
	width := 0
	switch t := t.(type) {
	case mlir.VectorType:
		width = mlir.BitWidth(t.Elem)
		for _, n := range t.Shape {
			width *= n
		}
	default:
		width = mlir.BitWidth(t)
	}
	d, known := deviceOf(op)
	want := 512
	if d.first {
		want = 384
	}
	if known && width != want {
		return fmt.Errorf("passes %s of %d bits, and the link has %d", t, width, want)
	}
	return nil
}
