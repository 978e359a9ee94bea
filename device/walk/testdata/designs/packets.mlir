// Two cores send packets through one channel of the interface tile, each its own number, into one stream.
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    %d = aie.tile(0, 4)
    %x = aie.buffer(%c) {sym_name = "x"} : memref<8xi32> = dense<5>
    %y = aie.buffer(%d) {sym_name = "y"} : memref<8xi32> = dense<7>
    %go = aie.lock(%d, 0) {init = 0 : i32, sym_name = "go"}
    aie.packet_flow(0) {
      aie.packet_source<%c, DMA : 0>
      aie.packet_dest<%s, DMA : 0>
    }
    aie.packet_flow(1) {
      aie.packet_source<%d, DMA : 0>
      aie.packet_dest<%s, DMA : 0>
    }
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.mem(%c) {
      %0 = aie.dma_start(MM2S, 0, ^a, ^end)
    ^a:
      aie.dma_bd(%x : memref<8xi32> offset = 0 len = 8) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 0>}
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.mem(%d) {
      %0 = aie.dma_start(MM2S, 0, ^a, ^end)
    ^a:
      aie.dma_bd_packet(0, 1)
      aie.dma_bd(%y : memref<8xi32> offset = 0 len = 8)
      aie.next_bd ^end
    ^end:
      aie.end
    }
    aie.runtime_sequence(%z: memref<16xi32>) {
      aiex.npu.dma_memcpy_nd(%z[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
