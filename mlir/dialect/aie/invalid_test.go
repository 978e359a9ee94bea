package aie_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

// In the lines below, T is a core's tile, U its northern neighbour, M a mem tile, N the one beside, F a far core, S an
// interface tile. B and L are a buffer and a lock of T, C and K of M.
const tiles = `
%S = aie.tile(0, 0)
%M = aie.tile(0, 1)
%N = aie.tile(1, 1)
%O = aie.tile(3, 1)
%T = aie.tile(0, 2)
%U = aie.tile(0, 3)
%E = aie.tile(1, 2)
%F = aie.tile(3, 4)
%B = aie.buffer(%T) {sym_name = "b"} : memref<1024xi32>
%b8 = aie.buffer(%T) {sym_name = "b8"} : memref<64xi8>
%L = aie.lock(%T, 0) {init = 1 : i32, sym_name = "l"}
%G = aie.buffer(%F) {sym_name = "g"} : memref<16xi32>
%C = aie.buffer(%M) {sym_name = "c"} : memref<16384xi32>
%K = aie.lock(%M, 0) {init = 1 : i32, sym_name = "k"}
%D = aie.buffer(%N) {sym_name = "d"} : memref<16384xi32>
%Z = aie.buffer(%O) {sym_name = "z"} : memref<16384xi32>
aie.objectfifo @i(%S, {%T}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
aie.objectfifo @x(%S, {%M}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
aie.objectfifo @y(%M, {%T}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
aie.objectfifo @w(%M, {%U}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
`

// chain is a DMA of one channel with one descriptor of these lines.
func chain(dma, tile, dir, lines string) string {
	return "aie." + dma + "(" + tile + ") {\naie.dma_start(" + dir + ", ^bd, ^end)\n^bd:\n" + lines + "\naie.next_bd ^end\n^end:\naie.end\n}"
}

func onCore(lines string) string { return "aie.core(%T) {\n" + lines + "\naie.end\n}" }

func onMem(lines string) string { return chain("memtile_dma", "%M", "MM2S, 0", lines) }

func onTile(lines string) string { return chain("mem", "%T", "MM2S, 0", lines) }

func inSwitch(lines string) string { return "aie.switchbox(%T) {\n" + lines + "\n}" }

func verified(device, lines string) error {
	text := "module {\naie.device(" + device + ") {\n" + tiles + lines + "\n}\n}"
	if device == "xcvc1902" {
		text = "module {\naie.device(" + device + ") {\n%T = aie.tile(2, 2)\n%U = aie.tile(3, 2)\n%L = aie.lock(%T, 0)\n" + lines + "\n}\n}"
	}
	m, err := mlir.Parse("x.mlir", []byte(text))
	if err == nil {
		err = mlir.Verify(m)
	}
	return err
}

// TestWhatIsRight are cases at the limits that mlir-aie accepts, beside the cases of TestInvalid.
func TestWhatIsRight(t *testing.T) {
	for _, lines := range []string{
		onMem("aie.dma_bd(%C : memref<16384xi32> offset = 0 len = 4096 sizes = [1023, 4] strides = [8, 1])"),
		onMem("aie.dma_bd(%C : memref<16384xi32> len = 1024 sizes = [1, 512] strides = [0, 1] pad [<const_pad_before = 0, const_pad_after = 1>, <const_pad_before = 0, const_pad_after = 0>])"),
		onMem("aie.dma_bd(%D : memref<16384xi32> offset = 0 len = 16)"),
		onTile("aie.dma_bd(%b8 : memref<64xi8> offset = 0 len = 8 sizes = [2, 4] strides = [8, 1])"),
		onTile("aie.dma_bd(%b8 : memref<64xi8> offset = 0 len = 2 sizes = [1, 1, 1] strides = [1, 1, 1])"),
		onTile("aie.dma_bd(%B : memref<1024xi32> offset = 512 len = 512) {packet = #aie.packet_info<pkt_type = 7, pkt_id = 31>}"),
		chain("shim_dma", "%S", "MM2S, 0", "%x = aie.external_buffer {sym_name = \"e\"} : memref<1048580xi32>\naie.dma_bd(%x : memref<1048580xi32> offset = 0 len = 8 sizes = [2, 2] strides = [1048576, 1])"),
		"aie.mem(%T) {\n%0 = aie.dma(S2MM, 0) [{\naie.dma_bd(%B : memref<1024xi32>)\n}, {\naie.dma_bd(%B : memref<1024xi32>)\n}]\naie.end\n}",
		inSwitch("aie.connect<East : 0, Core : 0>\naie.connect<East : 0, DMA : 1>\n%a = aie.amsel<1>(0)\n%b = aie.amsel<1>(3)\naie.masterset(North : 5, %a, %b)\naie.packet_rules(South : 5) {\naie.rule(31, 3, %a)\n}"),
		"aie.packet_flow(0x1F) {\naie.packet_source<%S, DMA : 0>\naie.packet_dest<%T, DMA : 1>\n} {keep_pkt_header = true}",
		"aie.cascade_flow(%T, %E)\naie.cascade_flow(%U, %T)\naie.configure_cascade(%T, North, South)",
		onCore("%v = aie.get_cascade() : vector<16xi32>\naie.put_cascade(%v : vector<16xi32>)\naie.event(1)"),
		"aie.objectfifo.link [@x] -> [@y, @w] ([] [0, 8])",
		"aie.objectfifo @p(%M dimensionsToStream [<size = 4, stride = 2>, <size = 2, stride = 1>], {%T dimensionsFromStream [<2, 4>, <4, 1>], %U}, [2, 3, 4]) : !aie.objectfifo<memref<8xi32>>",
		"aie.objectfifo @p(%T, {%U}, 2 : i32) : !aie.objectfifo<memref<2xi32>> = [dense<[1, 2]> : memref<2xi32>, dense<0> : memref<2xi32>]",
		"aie.objectfifo @p(%T, {%U}, 2 : i32) : !aie.objectfifo<memref<2xi32>>\naie.objectfifo.allocate @p (%U)",
		"%c = aie.logical_tile<CoreTile>(?, ?)\n%m = aie.logical_tile<MemTile>(1, ?)\naie.objectfifo @p(%c, {%m}, 2 : i32) : !aie.objectfifo<memref<2xi32>>",
		`aie.runtime_sequence @host(%a: memref<1024xi32>) {
			%0 = aiex.dma_configure_task(%S, MM2S, 0) {
			aie.dma_bd(%a : memref<1024xi32> offset = 512 len = 1024) {bd_id = 0 : i32}
			aie.end
			} {repeat_count = 3 : i32, issue_token = true}
			%1 = aiex.dma_configure_task_for @i {
			aie.dma_bd(%a : memref<1024xi32>, 0, 16, [<size = 4, stride = 4>, <size = 4, stride = 1>])
			aie.end
			}
			aiex.dma_start_task(%0)
			aiex.dma_await_task(%0)
			aiex.dma_free_task(%1)
			aiex.npu.rtp_write(@b, 3, 50)
			aiex.npu.write32 {address = 4 : ui32, value = 1 : ui32}
			aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
			aiex.set_lock(%L, 2)
			}`,
		`aie.runtime_sequence(%a: memref<64xi32>) {
			%c0 = arith.constant 0 : i64
			%c1 = arith.constant 1 : i64
			%c64 = arith.constant 64 : i64
			aiex.npu.dma_memcpy_nd(%a[%c0, %c0, %c0, %c0] [%c1, %c1, %c1, %c64] [%c0, %c0, %c0, %c1]) {id = 0 : i64, metadata = @i} : memref<64xi32>
			aiex.npu.dma_memcpy_nd(0, 0, %a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0]) {id = 1 : i64, metadata = @i} : memref<64xi32>
			aiex.npu.dma_wait {symbol = @i}
			}`,
		`aie.runtime_sequence(%a: memref<64xi16>, %b: memref<64xi32>) {
			aiex.npu.dma_memcpy_nd(%a[0, 0, 1, 0][1, 1, 2, 4][0, 0, 8, 1]) {id = 0 : i64, metadata = @i} : memref<64xi16>
			aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 2, 2, 8][0, 1048576, 8, 1]) {id = 1 : i64, metadata = @i} : memref<64xi32>
			}`,
	} {
		require.NoError(t, verified("npu2", lines), lines)
	}
	require.NoError(t, verified("xcvc1902", "aie.core(%T) {\naie.use_lock(%L, Acquire, 1)\naie.use_lock(%L, Release, 0)\n%v = aie.get_cascade() : i384\naie.end\n}"))
}

// TestInvalid are the kinds of mistakes of mlir-aie's own tests, one by one.
func TestInvalid(t *testing.T) {
	for lines, reason := range map[string]string{
		// tiles
		"%a = aie.tile(8, 0)": "column 8", "%a = aie.tile(0, 6)": "row 6", "%a = aie.tile(0, -1)": "row -1",
		"%a = aie.logical_tile<Core>(?, ?)":                               "no sort of tile",
		"%a = aie.buffer(%S) : memref<4xi32>":                             "no memory",
		"%a = aie.lock(%T, 16)":                                           "locks 0 to 15",
		"%a = aie.lock(%M, 64)":                                           "locks 0 to 63",
		"%a = aie.lock(%S, 16)":                                           "locks 0 to 15",
		"%a = aie.lock(%T, 0)":                                            "a second lock 0",
		"%a = aie.lock(%T, 1) {init = 64 : i32}":                          "begins with 64",
		"aie.core(%S) {\naie.end\n}":                                      "interface tile",
		"aie.core(%M) {\naie.end\n}":                                      "mem tile",
		onCore("") + "\n" + onCore(""):                                    "a second aie.core",
		"aie.core(%T) {\naie.end\n} {stack_size = 100 : i32}":             "a multiple of 32",
		"aie.core(%T) {\naie.end\n} {stack_size = -32 : i32}":             "a stack of -32 bytes",
		"aie.core(%T) {\naie.event(0)\naie.end\n} {elf_file = \"x.elf\"}": "elf_file",
		"aie.mem(%M) {\naie.end\n}":                                       "mem tile",
		"aie.mem(%S) {\naie.end\n}":                                       "interface tile",
		"aie.memtile_dma(%T) {\naie.end\n}":                               "core",
		"aie.shim_dma(%T) {\naie.end\n}":                                  "core",
		// locks
		"aie.use_lock(%L, Release, 1)":                                                                          "in no core",
		onCore("aie.use_lock(%B, Acquire, 1)"):                                                                  "not index",
		onCore("aie.use_lock(%L, Take, 1)"):                                                                     "none of Acquire",
		onCore("aie.use_lock(%L, Acquire, 64)"):                                                                 "0 to 63",
		onCore("aie.use_lock(%K, Acquire, 1)"):                                                                  "does not reach",
		onTile("aie.use_lock(%K, Acquire, 1)\naie.dma_bd(%B : memref<1024xi32>)"):                               "does not reach",
		onCore("%c = arith.constant 0 : index\n%x = memref.load %G[%c] : memref<16xi32>"):                       "does not reach",
		onTile("aie.use_lock(%L, Acquire, 1)\naie.use_lock(%L, Acquire, 1)\naie.dma_bd(%B : memref<1024xi32>)"): "2 acquires",
		onTile("aie.dma_bd(%B : memref<1024xi32>)\naie.use_lock(%L, Release, 1)\naie.use_lock(%L, Release, 1)"): "2 releases",
		// descriptors
		onMem("aie.dma_bd(%C : memref<16384xi32> offset = 0 len = 4096 sizes = [1024, 4] strides = [8, 1])"):    "up to 1023 words",
		onTile("aie.dma_bd(%B : memref<1024xi32> offset = 0 len = 512 sizes = [256, 2] strides = [2, 1])"):      "up to 255 words",
		onMem("aie.dma_bd(%C : memref<16384xi32> len = 1024 sizes = [2, 512] strides = [0, 1])"):                "the stride 0",
		onMem("aie.dma_bd(%C : memref<16384xi32> len = 4 sizes = [0, 2] strides = [1, 1])"):                     "the size 0",
		onTile("aie.dma_bd(%b8 : memref<64xi8> offset = 0 len = 8 sizes = [2, 4] strides = [1, 1])"):            "no whole words",
		onTile("aie.dma_bd(%b8 : memref<64xi8> offset = 0 len = 16 sizes = [2, 6] strides = [8, 1])"):           "no whole words",
		onTile("aie.dma_bd(%b8 : memref<64xi8> offset = 0 len = 16 sizes = [2, 4] strides = [8, 2])"):           "steps by 2",
		onTile("aie.dma_bd(%B : memref<1024xi32> offset = 512)"):                                                "reaches element 1535",
		onTile("aie.dma_bd(%B : memref<1024xi32> offset = 512 len = 1024)"):                                     "reaches element 1535",
		onMem("aie.dma_bd(%C : memref<16384xi32> offset = 8192 len = 4 sizes = [2, 8192] strides = [8192, 1])"): "up to 1023 words",
		onTile("aie.dma_bd(%B : memref<1024xi32> offset = 512 len = 1024 sizes = [4, 64] strides = [256, 1])"):  "reaches element",
		onTile("aie.dma_bd(%B : memref<1024xi32> len = 16 sizes = [2, 2, 2, 2] strides = [8, 4, 2, 1])"):        "have up to 3",
		onMem("aie.dma_bd(%C : memref<16384xi32> len = 32 sizes = [2, 2, 2, 2, 2] strides = [16, 8, 4, 2, 1])"): "have up to 4",
		onTile("aie.dma_bd(%B : memref<1024xi32>) {packet = #aie.packet_info<pkt_type = 7, pkt_id = 33>}"):      "pkt_id 33",
		onTile("aie.dma_bd(%B : memref<1024xi32>) {packet = #aie.packet_info<pkt_type = 8, pkt_id = 3>}"):       "pkt_type 8",
		onTile("aie.dma_bd_packet(8, 1)\naie.dma_bd(%B : memref<1024xi32>)"):                                    "of 3 and 5 bits",
		onTile("aie.dma_bd(%B : memref<1024xi32>) {bd_id = 16 : i32}"):                                          "descriptors 0 to 15",
		onTile("aie.dma_bd(%B : memref<1024xi32>)\naie.dma_bd(%B : memref<1024xi32>)"):                          "2 descriptors",
		onTile("aie.dma_bd(%G : memref<16xi32>)"):                                                               "does not reach",
		onMem("aie.dma_bd(%Z : memref<16384xi32> offset = 0 len = 16)"):                                         "does not reach",
		chain("memtile_dma", "%M", "MM2S, 4", "aie.dma_bd(%D : memref<16384xi32> offset = 0 len = 16)"):         "does not reach",
		chain("mem", "%T", "MM2S, 2", "aie.dma_bd(%B : memref<1024xi32>)"):                                      "0 to 1 each way",
		chain("memtile_dma", "%M", "S2MM, 6", "aie.dma_bd(%C : memref<16384xi32>)"):                             "0 to 5 each way",
		chain("mem", "%T", "UP, 0", "aie.dma_bd(%B : memref<1024xi32>)"):                                        "neither MM2S",
		"aie.mem(%T) {\naie.dma_start(MM2S, 0, ^b, ^c)\n^b:\naie.dma_bd(%B : memref<1024xi32>)\naie.next_bd ^e\n^c:\naie.dma_start(MM2S, 0, ^d, ^e)\n^d:\naie.dma_bd(%B : memref<1024xi32>)\naie.next_bd ^e\n^e:\naie.end\n}":                                  "a second start",
		"aie.mem(%T) {\n" + strings.Repeat("aie.dma(MM2S, 0) [{\naie.dma_bd(%B : memref<1024xi32>)\n}]\n", 1) + "aie.dma(S2MM, 0) [" + strings.Repeat("{\naie.dma_bd(%B : memref<1024xi32>)\n},", 16) + "{\naie.dma_bd(%B : memref<1024xi32>)\n}]\naie.end\n}": "18 descriptors",
		"aie.memtile_dma(%M) {\n^a:\naie.dma(S2MM, 0) [{\naie.dma_bd(%C : memref<16384xi32>)\n}]\naie.next_bd ^b\n^b:\naie.end\n}":                                                                                                                             "several blocks",
		"aie.mem(%T) {\naie.dma(S2MM, 0) [{\naie.use_lock(%L, Acquire, 1)\n}]\naie.end\n}":                                                                                                                                                                     "without a descriptor",
		"aie.mem(%T) {\ncf.br ^a\n^a:\naie.end\n}": "ends with cf.br",
		// switches and flows
		inSwitch("aie.connect<West : 4, Core : 0>"):                                                                          "no source port",
		inSwitch("aie.connect<East : 0, Core : 1>"):                                                                          "no dest port",
		inSwitch("aie.connect<West : 0, Core : 0>"):                                                                          "no source port West",
		inSwitch("aie.connect<East : 0, Core : 0>\naie.connect<East : 1, Core : 0>"):                                         "twice",
		"%a = aie.tile(7, 2)\naie.switchbox(%a) {\naie.connect<East : 0, Core : 0>\n}":                                       "no source port East",
		"aie.switchbox(%M) {\naie.connect<East : 0, DMA : 0>\n}":                                                             "no source port East",
		"aie.switchbox(%M) {\naie.connect<DMA : 0, DMA : 1>\n}":                                                              "does not",
		"aie.switchbox(%M) {\naie.connect<North : 0, North : 0>\n}":                                                          "does not",
		"aie.switchbox(%S) {\naie.connect<DMA : 0, North : 0>\n}":                                                            "no source port DMA",
		"aie.connect<West : 0, Core : 0>":                                                                                    "",
		"aie.shim_mux(%T) {\naie.connect<North : 0, DMA : 0>\n}":                                                             "is on a core",
		inSwitch("%a = aie.amsel<6>(0)"):                                                                                     "arbiter 6",
		inSwitch("%a = aie.amsel<5>(4)"):                                                                                     "select 4",
		inSwitch("%a = aie.amsel<1>(0)\n%b = aie.amsel<2>(0)\naie.masterset(North : 0, %a, %b)"):                             "arbiters 1 and 2",
		inSwitch("aie.masterset(North : 0, %T)"):                                                                             "no aie.amsel",
		inSwitch("%a = aie.amsel<1>(0)\naie.packet_rules(South : 0) {\n" + strings.Repeat("aie.rule(31, 1, %a)\n", 5) + "}"): "5 rules",
		inSwitch("%a = aie.amsel<1>(0)\naie.packet_rules(South : 0) {\naie.rule(32, 1, %a)\n}"):                              "mask 32",
		inSwitch("aie.packet_rules(South : 0) {\n}"):                                                                         "0 rules",
		"aie.flow(%S, DMA : 2, %T, DMA : 0)":                                                                                 "no port DMA : 2",
		"aie.flow(%S, DMA : 0, %T, DMA : 2)":                                                                                 "no port DMA : 2",
		"aie.flow(%S, DMA : 0, %T, Nowhere : 0)":                                                                             "no port Nowhere",
		"aie.flow(%S, DMA : 0, %M, Core : 0)":                                                                                "at a core on a mem tile",
		"aie.packet_flow(32) {\naie.packet_source<%S, DMA : 0>\naie.packet_dest<%T, DMA : 1>\n}":                             "number 32",
		"aie.packet_flow(1) {\naie.packet_source<%S, DMA : 0>\n}":                                                            "0 destinations",
		// cascades and streams
		"aie.cascade_flow(%T, %F)": "no neighbours", "aie.cascade_flow(%M, %T)": "mem tile", "aie.cascade_flow(%S, %T)": "interface tile",
		"aie.configure_cascade(%T, South, East)": "from South", "aie.configure_cascade(%T, North, West)": "to West",
		"aie.configure_cascade(%M, North, South)":                                                       "mem tile",
		onCore("%v = aie.get_cascade() : i384"):                                                         "384 bits",
		"func.func @f() {\n%c = arith.constant 0 : i32\n%v = aie.get_stream(%c : i32) : i32\nreturn\n}": "",
		onCore("aie.event(2)"):                                                                          "event 2",
		// object FIFOs
		"aie.objectfifo @p(%S, {%T}, 0 : i32) : !aie.objectfifo<memref<8xi32>>":                                                                                          "holds 0",
		"aie.objectfifo @p(%S, {%T}, [2, 2, 2]) : !aie.objectfifo<memref<8xi32>>":                                                                                        "each of the 1 consumers",
		"aie.objectfifo @p(%S, {%T}, 2 : i32) : memref<8xi32>":                                                                                                           "!aie.objectfifo",
		"aie.objectfifo @p(%S, {%T}, 2 : i32) : !aie.objectfifo<i32>":                                                                                                    "no memory",
		"aie.objectfifo @i(%S, {%T}, 2 : i32) : !aie.objectfifo<memref<8xi32>>":                                                                                          "",
		"aie.objectfifo @p(%S, {%L}, 2 : i32) : !aie.objectfifo<memref<8xi32>>":                                                                                          "no tile",
		"aie.objectfifo @p(%T, {%U}, 2 : i32) : !aie.objectfifo<memref<2xi32>> = [dense<0> : memref<2xi32>]":                                                             "1 first objects",
		"aie.objectfifo @p(%S, {%U}, 1 : i32) : !aie.objectfifo<memref<2xi32>> = [dense<0> : memref<2xi32>]":                                                             "interface tile",
		"aie.objectfifo @p(%T, {%U}, 2 : i32) {repeat_count = 0 : i32} : !aie.objectfifo<memref<2xi32>>":                                                                 "repeats 0",
		"aie.objectfifo @p(%T, {%U}, 2 : i32) {padDimensions = #aie<bd_pad_layout_array[<const_pad_before = 2, const_pad_after = 0>]>} : !aie.objectfifo<memref<2xi32>>": "only mem tiles",
		"aie.objectfifo @p(%T dimensionsToStream [<size = 300, stride = 2>, <size = 2, stride = 1>], {%M}, 2 : i32) : !aie.objectfifo<memref<1024xi32>>":                 "up to 255",
		"aie.objectfifo.link [@x] -> [@gone] ([] [])":                                                                                                                    "no object FIFO",
		"aie.objectfifo.link [@i] -> [@y] ([] [])":                                                                                                                       "no tile at which",
		"aie.objectfifo.link [@x] -> [@y, @w] ([] [0])":                                                                                                                  "1 dst_offsets",
		"aie.objectfifo.link [@x] -> [@y, @w] ([] [0, 16])":                                                                                                              "dst_offsets [0 16]",
		"aie.objectfifo.link [@x] -> [@y, @w] ([] [8, 0])":                                                                                                               "dst_offsets [8 0]",
		"aie.objectfifo.link [@x, @x] -> [@y, @w] ([0, 8] [0, 8])":                                                                                                       "a single FIFO",
		onCore("%0 = aie.objectfifo.acquire @i(Consume, 0) : memref<8xi32>"):                                                                                             "takes 0",
		onCore("%0 = aie.objectfifo.acquire @i(Consume, 2) : memref<8xi32>"):                                                                                             "gives 1 objects",
		onCore("%0 = aie.objectfifo.acquire @i(Consume, 1) : memref<9xi32>"):                                                                                             "gives memref<9xi32>",
		onCore("%0 = aie.objectfifo.acquire @i(Produce, 1) : memref<8xi32>"):                                                                                             "does not end so",
		onCore("%0 = aie.objectfifo.acquire @w(Consume, 1) : memref<8xi32>"):                                                                                             "does not end so",
		onCore("aie.objectfifo.release @gone(Consume, 1)"):                                                                                                               "no object FIFO",
		onCore("aie.objectfifo.release @i(Take, 1)"):                                                                                                                     "neither Produce",
		"aie.objectfifo.release @i(Consume, 1)":                                                                                                                          "in no core",
		onCore("%0 = aie.objectfifo.acquire @i(Consume, 1) : !aie.objectfifosubview<memref<8xi32>>\n%1 = aie.objectfifo.subview.access %0[1] : !aie.objectfifosubview<memref<8xi32>> -> memref<8xi32>"): "object 1 of the 1",
		"aie.objectfifo.allocate @i (%F)":    "does not reach",
		"aie.objectfifo.allocate @gone (%T)": "no object FIFO",
		"%e = aie.external_buffer : memref<8xi32>\naie.objectfifo.register_external_buffers @i (%T, {%e}) : (memref<8xi32>)": "is on a core",
		// the host
		"aie.runtime_sequence(%a: memref<64xi32>) {\naiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][65, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @i} : memref<64xi32>\n}":      "up to 64",
		"aie.runtime_sequence(%a: memref<64xi32>) {\naiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2000, 8][0, 0, 8, 1]) {id = 0 : i64, metadata = @i} : memref<64xi32>\n}":    "up to 1023",
		"aie.runtime_sequence(%a: memref<64xi32>) {\naiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @i} : memref<64xi32>\n}":       "only the outermost repeats",
		"aie.runtime_sequence(%a: memref<64xi16>) {\naiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2, 8][0, 0, 9, 1]) {id = 0 : i64, metadata = @i} : memref<64xi16>\n}":       "no whole words of 32",
		"aie.runtime_sequence(%a: memref<64xi32>) {\naiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 2, 2, 8][0, 1048577, 8, 1]) {id = 0 : i64, metadata = @i} : memref<64xi32>\n}": "up to 1048576",
		"aie.runtime_sequence(%a: memref<64xi8>) {\naiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 2, 3][0, 0, 4, 1]) {id = 0 : i64, metadata = @i} : memref<64xi8>\n}":         "whole words",
		"aie.runtime_sequence(%a: memref<64xi16>) {\naiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1][1, 1, 1, 4][0, 0, 0, 1]) {id = 0 : i64, metadata = @i} : memref<64xi16>\n}":       "whole word",
		"aie.runtime_sequence(%a: memref<64xi32>) {\n%0 = aiex.dma_configure_task(%S, MM2S, 2) {\naie.dma_bd(%a : memref<64xi32>)\naie.end\n}\n}":                            "channel 2",
		"aie.runtime_sequence(%a: memref<64xi32>) {\n%0 = aiex.dma_configure_task(%S, MM2S, 0) {\naie.end\n}\n}":                                                             "no descriptor",
		"aie.runtime_sequence(%a: memref<64xi32>) {\n%0 = aiex.dma_configure_task(%M, MM2S, 0) {\naie.dma_bd(%C : memref<16384xi32> offset = 512)\naie.end\n}\n}":            "reaches element",
		"aie.runtime_sequence(%a: memref<64xi32>) {\naiex.dma_start_task(%S)\n}":                                                                                             "needs a task",
		"aie.runtime_sequence(%a: memref<64xi32>) {\naiex.set_lock(%L, 64)\n}":                                                                                               "sets 64",
		"aie.runtime_sequence(%a: memref<64xi32>) {\naiex.set_lock(%B, 1)\n}":                                                                                                "not index",
	} {
		require.ErrorContains(t, verified("npu2", lines), reason, lines)
	}
	for lines, reason := range map[string]string{
		"aie.core(%T) {\naie.use_lock(%L, AcquireGreaterEqual, 1)\naie.end\n}": "a lock of one bit",
		"aie.core(%T) {\naie.use_lock(%L, Acquire, 2)\naie.end\n}":             "0 and 1",
		"aie.core(%T) {\n%v = aie.get_cascade() : i512\naie.end\n}":            "512 bits",
		"aie.configure_cascade(%T, North, South)":                              "configures a part that is fixed",
		"%s = aie.tile(4, 0)\naie.shim_dma(%s) {\naie.end\n}":                  "does not reach memory",
		"%a = aie.tile(50, 0)": "column 50",
	} {
		require.ErrorContains(t, verified("xcvc1902", lines), reason, lines)
	}
	_, err := mlir.Parse("x", []byte("module {\naie.device(npu9) {\n}\n}"))
	require.NoError(t, err)
	require.ErrorContains(t, verified("npu9", ""), "not known")
	require.ErrorContains(t, verified("npu2_9col", ""), "not known")
}

// TestNumberedPorts: a text of the stage aie-generic is refused, with the stage that is read.
func TestNumberedPorts(t *testing.T) {
	err := verified("npu1", `"aie.flow"(%S, %T) {source_bundle = 1 : i32, source_channel = 0 : i32, dest_bundle = 1 : i32, dest_channel = 0 : i32} : (index, index) -> ()`)
	require.ErrorContains(t, err, "the stage aie-lowered is read")
}
