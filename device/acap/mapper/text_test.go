package mapper_test

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

var (
	transfer = regexp.MustCompile(`^aiex\.npu\.dma_memcpy_nd\(%\w+\[0, 0, 0, \d+\]\[\d+, \d+, \d+, \d+\]\[\d+, \d+, \d+, 1\]\) ` +
		`\{id = (\d+) : i64, (issue_token = true, )?metadata = @(\w+)\} : memref<\S+>$`)
	waiting  = regexp.MustCompile(`^aiex\.npu\.dma_wait \{symbol = @(\w+)\}$`)
	defining = regexp.MustCompile(`^aie\.(objectfifo|shim_dma_allocation) @(\w+)\(`)
	opening  = regexp.MustCompile(`^(?:%\w+ = )?([\w.]+)`)
)

// operations are those that the text may have.
var operations = map[string]bool{"module": true, "aie.device": true, "aie.tile": true, "aie.objectfifo": true,
	"aie.objectfifo.link": true, "aie.objectfifo.acquire": true, "aie.objectfifo.release": true,
	"aie.objectfifo.subview.access": true, "aie.cascade_flow": true, "aie.buffer": true, "aie.lock": true,
	"aie.flow": true, "aie.mem": true, "aie.memtile_dma": true, "aie.dma_start": true, "aie.dma_bd": true,
	"aie.use_lock": true, "aie.next_bd": true, "aie.end": true, "aie.shim_dma_allocation": true,
	"aie.core": true, "aie.runtime_sequence": true, "aiex.npu.dma_memcpy_nd": true,
	"aiex.npu.dma_wait": true, "func.func": true, "func.call": true, "scf.for": true,
	"scf.index_switch": true, "scf.yield": true, "case": true, "default": true, "arith.constant": true,
	"arith.addi": true, "arith.remui": true, "memref.alloc": true, "memref.alloca": true,
	"memref.load": true, "memref.store": true}

// TestUpstreamText expects of programs at both levels that they have upstream's operations
// only, transfers of four sizes and strides, descriptors that a tile has and that are not in
// use, queues that hold each transfer, waits for transfers that tell their end, and devices of upstream's names.
func TestUpstreamText(t *testing.T) {
	attention := &workload.Kernel{Name: "attention", Kind: workload.KindAttention,
		Attention: workload.Attention{Batch: 1, Heads: 4, KVHeads: 4, Sq: 256, Sk: 256, D: 64, DV: 64,
			DType: dtype.BF16, Acc: dtype.F32}}
	// Some tasks of this product are several transfers.
	parted := gemm(256, 8, 1473, dtype.I16, dtype.I32, dtype.I32)
	parted.Contraction.Batch, parted.Contraction.Epilogue.Also = 3, []dtype.DType{dtype.I16}
	kernels := []*workload.Kernel{gemm(1024, 512, 1024, dtype.BF16, dtype.F32, dtype.F32),
		gemm(64, 4096, 64, dtype.I8, dtype.I32, dtype.I32), attention, parted}
	several := false // transfers of a task
	devices := map[string]string{"npu1": "npu1", "npu2": "npu2", "vek280": "xcve2802", "vck190": "xcvc1902"}
	for name, device := range devices {
		for _, w := range kernels {
			c, err := mapper.Map(machinetest.Preset(t, name), w)
			if err != nil {
				t.Fatal(err)
			}
			p, err := c.Build()
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				text := p.String()
				if !strings.Contains(text, "aie.device("+device+") {") {
					t.Errorf("%s: no device %s", name, device)
				}
				upstreamText(t, name+" "+w.Name, text, p)
				several = several || strings.Count(text, "aiex.npu.dma_memcpy_nd") > tasks(p)
				p.Lower()
			}
		}
	}
	if !several {
		t.Error("no task is more than one transfer")
	}
}

// tasks counts the tasks of the host.
func tasks(p *program.Program) (n int) {
	for _, op := range p.Runtime {
		if _, ok := op.(program.Task); ok {
			n++
		}
	}
	return n
}

func upstreamText(t *testing.T, what, text string, p *program.Program) {
	t.Helper()
	known, inUse, tokens := make(map[string]bool), make(map[string][]string), make(map[string]int)
	limit := p.Machine.Shim.Queue.Int()
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if g := defining.FindStringSubmatch(line); g != nil {
			known[g[2]] = true
		}
		if line == "" || line[0] == '}' || line[0] == '^' || strings.HasPrefix(line, "//") {
			continue
		}
		if g := opening.FindStringSubmatch(line); g == nil || !operations[g[1]] {
			t.Fatalf("%s: %s", what, line)
		}
		switch {
		case strings.HasPrefix(line, "aiex.npu.dma_memcpy_nd"):
			g := transfer.FindStringSubmatch(line)
			if g == nil || !known[g[3]] {
				t.Fatalf("%s: %s", what, line)
			}
			if id, _ := strconv.Atoi(g[1]); id >= p.Machine.Shim.Descriptors.Int() {
				t.Fatalf("%s: a tile has no descriptor %d: %s", what, id, line)
			}
			if g[2] != "" {
				tokens[g[3]]++
			}
			if limit > 0 && slices.Contains(inUse[g[3]], g[1]) {
				t.Fatalf("%s: descriptor %s of %s is in use: %s", what, g[1], g[3], line)
			}
			if inUse[g[3]] = append(inUse[g[3]], g[1]); limit > 0 && len(inUse[g[3]]) > limit {
				t.Fatalf("%s: the queue of %s holds %d transfers: %s", what, g[3], limit, line)
			}
		case strings.HasPrefix(line, "aiex.npu.dma_wait"):
			g := waiting.FindStringSubmatch(line)
			if g == nil || tokens[g[1]] == 0 {
				t.Fatalf("%s: %s waits for nothing", what, line)
			}
			tokens[g[1]]--
			inUse[g[1]] = inUse[g[1]][1:]
		}
	}
}
