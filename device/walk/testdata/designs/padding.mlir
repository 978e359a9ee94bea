// A mem tile puts zeros around a matrix of 2 by 3 on its way.
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %b = aie.buffer(%m) {sym_name = "b"} : memref<2x3xi32>
    %free = aie.lock(%m, 0) {init = 1 : i32, sym_name = "free"}
    %full = aie.lock(%m, 1) {init = 0 : i32, sym_name = "full"}
    aie.flow(%s, DMA : 0, %m, DMA : 0)
    aie.flow(%m, DMA : 0, %s, DMA : 0)
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.memtile_dma(%m) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      %i1 = arith.constant 1 : i32
      aie.use_lock(%free, AcquireGreaterEqual, %i1)
      aie.dma_bd(%b : memref<2x3xi32> offset = 0 len = 6)
      aie.use_lock(%full, Release, %i1)
      aie.next_bd ^in
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^out, ^end)
    ^out:
      %o1 = arith.constant 1 : i32
      aie.use_lock(%full, AcquireGreaterEqual, %o1)
      aie.dma_bd(%b : memref<2x3xi32> offset = 0 len = 20 sizes = [2, 3] strides = [3, 1] pad [<const_pad_before = 1, const_pad_after = 1>, <const_pad_before = 0, const_pad_after = 2>])
      aie.use_lock(%free, Release, %o1)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    aie.runtime_sequence(%x: memref<6xi32>, %y: memref<20xi32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 6][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<6xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 20][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<20xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
