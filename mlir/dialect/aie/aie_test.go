package aie_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// TestEmittedTextIsRead reads what acap emit writes, in both versions of mlir-aie.
func TestEmittedTextIsRead(t *testing.T) {
	files, err := filepath.Glob("../../../device/acap/program/testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no texts", err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		read(t, f, text)
	}
}

// TestCurrentText reads what mlir-aie writes since July 2026 and acap emit does not.
func TestCurrentText(t *testing.T) {
	read(t, "current.mlir", []byte(`module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
    aie.objectfifo @i(%t0, {%t1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    %b = aie.buffer(%t1) {sym_name = "b"} : memref<32xi32>
    %l = aie.lock(%t1, 0) {init = 1 : i32, sym_name = "l"}
    %c = aie.core(%t1) {
      %0 = aie.objectfifo.acquire @i(Consume, 1) : memref<8xi32>
      %1:2 = aie.objectfifo.acquire @i(Consume, 2) : memref<8xi32>, memref<8xi32>
      aie.objectfifo.release @i(Consume, 1)
      aie.end
    }
    %m = aie.mem(%t1) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end, repeat_count = 4)
    ^bd:
      %c1 = arith.constant 1 : i32
      aie.use_lock(%l, AcquireGreaterEqual, %c1)
      aie.dma_bd(%b : memref<32xi32> offset = 0 len = 16 sizes = [4] strides = [1])
      aie.next_bd ^bd
    ^end:
      aie.end
    }
  }
}
`))
}

// TestTextOfAutumn2026 reads forms that mlir-aie has since: numbers of the host as values, descriptors that are shared,
// parts that are reset, packets in any order, buffers and locks of FIFOs by name, and records of events.
func TestTextOfAutumn2026(t *testing.T) {
	read(t, "autumn.mlir", []byte(`module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
    %b = aie.buffer(%t1) {sym_name = "b"} : memref<32xi32>
    %l = aie.lock(%t1, 0) {init = 1 : i32, sym_name = "l"}
    aie.objectfifo @i(%t0, {%t1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    func.func private @k(memref<8xi32>, index, index)
    aie.core(%t1) {
      %x = aie.objectfifo.buffer @i (1) : memref<8xi32>
      %p, %q = aie.objectfifo.lock @i (Consume) : (index, index)
      func.call @k(%x, %p, %q) : (memref<8xi32>, index, index) -> ()
      aie.end
    } {link_with = "k.o"}
    aie.mem(%t1) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end, repeat_count = 4) {out_of_order}
    ^bd:
      aie.dma_bd_packet(0, 0)
      aie.dma_bd(%b : memref<32xi32> offset = 0 len = 16) {bd_id = 0 : i32, out_of_order_id = 1 : i32}
      aie.next_bd ^bd
    ^end:
      aie.end
    }
    aie.trace @r(%t1) {
      aie.trace.mode "Event-Time"
      aie.trace.packet id=1 type="core"
      aie.trace.event<CoreEventAIE2::LOCK_STALL> label = "stall"
      aie.trace.combo_event<0> <"LOCK_STALL"> AND_NOT <"DMA_S2MM_0_STALLED">
      aie.trace.edge_event<0> event=<"LOCK_STALL"> trigger=RISING
      aie.trace.start event=<"TRUE">
      aie.trace.stop broadcast=14
    }
    aie.trace.config @c(%t1) packet_type = core {
      aie.trace.reg register="Trace_Control0" field="Mode" value=0
      aie.trace.reg register="Trace_Control0" value=305419896 mask=65280
    }
    aie.objectfifo_rearm_binding @again channels(%t1 : index) locks(%l : index) {channel_dirs = array<i32: 0>, channel_indices = array<i32: 0>, lock_inits = array<i32: 1>}
    aie.shim_dma_allocation @packets(%t0, MM2S, 1, <pkt_type = 0, pkt_id = 1>)
    aie.runtime_sequence @s(%x: memref<32xi32>, %n: i32, %m: i64) {
      %c = arith.constant 0 : i64
      aie.trace.host_config buffer_size = 8192 egress_shim_col = 1
      aie.trace.start_config @r
      %d = aiex.dma_bd_pool_pop(0, 0, 1) : i32
      %0 = aiex.dma_configure_task(%t0, S2MM, 0, <pkt_type = 0, pkt_id = 1>) repeat %n : i32 bd_id %d : i32 {
        aie.dma_bd(%x : memref<32xi32> offset = %n len = %n sizes = [1, %m] strides = [%m, 1])
        aie.end
      } {out_of_order}
      %1 = aiex.dma_configure_task_for @i repeat %n : i32 {
        aie.dma_bd(%x : memref<32xi32>) dyn_offset(%m : i64) dyn_len(%m : i64) dyn_sizes(%m, %m : i64, i64) dyn_strides(%m, %m : i64, i64) {bd_id = 0 : i32}
        aie.end
      }
      %2 = aiex.dma_configure_task(%t0, MM2S, 0) {
        aie.dma_bd(%x : memref<32xi32> offset = 0 len = 8) bd_id_val %d : i32
        aie.end
      }
      aiex.dma_bd_pool_push(0, 0, 1) bd_id %d : i32
      aiex.npu.dma_memcpy_nd(%x[%c, %c, %c, %c][%m, %m, %m, %m][%c, %c, %c, %m], packet = <pkt_id = 5, pkt_type = 0>) {id = 0 : i64, metadata = @i} : memref<32xi32>
      aiex.npu.sync(%n, %n, %n, %n, %n, %n) : i32, i32, i32, i32, i32, i32
      aiex.npu.write32(%n, %n) {column = 0 : i32, row = 2 : i32} : i32, i32
      aiex.npu.maskwrite32(%n, %n, %n) : i32, i32, i32
      aiex.npu.maskpoll(%n, %n, %n) : i32, i32, i32
      aiex.npu.write32 {address = 0 : ui32, value = 1 : ui32}
      aiex.npu.address_patch(%n : i32) addr %n : i32 {addr = 0 : ui32, arg_idx = 0 : i32}
      aiex.npu.push_queue(0, 0, MM2S : 0) bd_id %d repeat %n {issue_token = true} : i32, i32
      aiex.npu.blockwrite_values(%n : i32) values %n, %n : i32, i32
      aiex.npu.assert_bd_field(%n) {max = 1023 : i32} : i32
      aiex.npu.assert_bd_divisible(%n) {allow_unit, divisor = 4 : i32} : i32
      aiex.npu.create_scratchpad {size = 4 : ui32}
      aiex.npu.update_from_scratchpad<mul> {address = 5 : ui32, func_arg = 2 : ui32, state_table_idx = 0 : ui8}
      aiex.npu.rtp_write(@b, 0, %n) : i32
      aiex.dma_channel_reset_for(@again)
      aiex.dma_channel_reset(%t1, S2MM, 0)
      aiex.core_reset(%t1)
      aiex.buffer_clear(%t1, 0, 8)
    }
  }
}
`))
}

// read reads a text, and again the generic form it is printed in.
func read(t *testing.T, name string, text []byte) {
	t.Helper()
	for range 2 {
		m, err := mlir.Parse(name, text)
		if err == nil {
			err = mlir.Verify(m)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		var b bytes.Buffer
		if err := mlir.Print(&b, m, mlir.PrintOptions{}); err != nil {
			t.Fatal(err)
		}
		text = b.Bytes()
	}
}
