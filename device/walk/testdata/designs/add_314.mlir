// The same by buffers, locks and descriptors: lists of them on the mem tile, a chain of blocks on the core's tile.
module {
  aie.device(npu2_1col) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, 2)
    %x = aie.buffer(%c) {sym_name = "x"} : memref<8xi32>
    %y = aie.buffer(%c) {sym_name = "y"} : memref<8xi32>
    %xfree = aie.lock(%c, 0) {init = 1 : i32, sym_name = "xfree"}
    %xfull = aie.lock(%c, 1) {init = 0 : i32, sym_name = "xfull"}
    %yfree = aie.lock(%c, 2) {init = 1 : i32, sym_name = "yfree"}
    %yfull = aie.lock(%c, 3) {init = 0 : i32, sym_name = "yfull"}
    %p = aie.buffer(%m) {sym_name = "p"} : memref<16xi32>
    %q = aie.buffer(%m) {sym_name = "q"} : memref<16xi32>
    %free = aie.lock(%m, 0) {init = 2 : i32, sym_name = "free"}
    %full = aie.lock(%m, 1) {init = 0 : i32, sym_name = "full"}
    aie.flow(%s, DMA : 0, %m, DMA : 0)
    aie.flow(%m, DMA : 0, %c, DMA : 0)
    aie.flow(%c, DMA : 0, %s, DMA : 0)
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    %mm = aie.memtile_dma(%m) {
      %0 = aie.dma(S2MM, 0) [{
        %c1 = arith.constant 1 : i32
        aie.use_lock(%free, AcquireGreaterEqual, %c1)
        aie.dma_bd(%p : memref<16xi32>)
        aie.use_lock(%full, Release, %c1)
      }, {
        %c1 = arith.constant 1 : i32
        aie.use_lock(%free, AcquireGreaterEqual, %c1)
        aie.dma_bd(%q : memref<16xi32>)
        aie.use_lock(%full, Release, %c1)
      }]
      %1 = aie.dma(MM2S, 0) [{
        %c1 = arith.constant 1 : i32
        aie.use_lock(%full, AcquireGreaterEqual, %c1)
        aie.dma_bd(%p : memref<16xi32>)
        aie.use_lock(%free, Release, %c1)
      }, {
        %c1 = arith.constant 1 : i32
        aie.use_lock(%full, AcquireGreaterEqual, %c1)
        aie.dma_bd(%q : memref<16xi32>)
        aie.use_lock(%free, Release, %c1)
      }]
      aie.end
    }
    %mc = aie.mem(%c) {
      %0 = aie.dma_start(S2MM, 0, ^in, ^next)
    ^in:
      %a1 = arith.constant 1 : i32
      aie.use_lock(%xfree, AcquireGreaterEqual, %a1)
      aie.dma_bd(%x : memref<8xi32> offset = 0 len = 8)
      aie.use_lock(%xfull, Release, %a1)
      aie.next_bd ^in
    ^next:
      %1 = aie.dma_start(MM2S, 0, ^out, ^end)
    ^out:
      %b1 = arith.constant 1 : i32
      aie.use_lock(%yfull, AcquireGreaterEqual, %b1)
      aie.dma_bd(%y : memref<8xi32> offset = 0 len = 8)
      aie.use_lock(%yfree, Release, %b1)
      aie.next_bd ^out
    ^end:
      aie.end
    }
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %k = arith.constant 314 : i32
      %i1 = arith.constant 1 : i32
      scf.for %i = %c0 to %c8 step %c1 {
        aie.use_lock(%xfull, AcquireGreaterEqual, %i1)
        aie.use_lock(%yfree, AcquireGreaterEqual, %i1)
        scf.for %j = %c0 to %c8 step %c1 {
          %0 = memref.load %x[%j] : memref<8xi32>
          %1 = arith.addi %0, %k : i32
          memref.store %1, %y[%j] : memref<8xi32>
        }
        aie.use_lock(%xfree, Release, %i1)
        aie.use_lock(%yfull, Release, %i1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<64xi32>, %b: memref<64xi32>) {
      %0 = arith.constant 0 : i64
      %1 = arith.constant 1 : i64
      %64 = arith.constant 64 : i64
      aiex.npu.dma_memcpy_nd(%a[%0, %0, %0, %0] [%1, %1, %1, %64] [%0, %0, %0, %1]) {id = 0 : i64, metadata = @in} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%b[%0, %0, %0, %0] [%1, %1, %1, %64] [%0, %0, %0, %1]) {id = 1 : i64, metadata = @out} : memref<64xi32>
      aiex.npu.sync {channel = 0 : i32, column = 0 : i32, column_num = 1 : i32, direction = 0 : i32, row = 0 : i32, row_num = 1 : i32}
    }
  }
}
