// One descriptor of a mem tile that the host configures takes four pieces; each lands a place further, from the third on.
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %free = aie.lock(%m, 0) {init = 4 : i32, sym_name = "free"}
    %full = aie.lock(%m, 1) {init = 0 : i32, sym_name = "full"}
    %b = aie.buffer(%m) {sym_name = "b"} : memref<64xi32>
    aie.flow(%s, DMA : 0, %m, DMA : 0)
    aie.flow(%m, DMA : 0, %s, DMA : 0)
    aie.runtime_sequence(%x: memref<64xi32>, %y: memref<64xi32>) {
      %c1 = arith.constant 1 : i32
      %0 = aiex.dma_configure_task(%s, MM2S, 0) {
        aie.dma_bd(%x : memref<64xi32> offset = 0 len = 64) {bd_id = 0 : i32}
        aie.end
      }
      %1 = aiex.dma_configure_task(%m, S2MM, 0) {
        aie.use_lock(%free, AcquireGreaterEqual, %c1)
        aie.dma_bd(%b : memref<64xi32> offset = 0 len = 16) {bd_id = 0 : i32, iteration = #aie.bd_iteration<size = 4, stride = 16, current = 2>}
        aie.use_lock(%full, Release, %c1)
        aie.end
      } {repeat_count = 3 : i32}
      aiex.dma_start_task(%0)
      aiex.dma_start_task(%1)
      %2 = aiex.dma_configure_task(%m, MM2S, 0) {
        %c4 = arith.constant 4 : i32
        aie.use_lock(%full, AcquireGreaterEqual, %c4)
        aie.dma_bd(%b : memref<64xi32> offset = 0 len = 64) {bd_id = 1 : i32}
        aie.use_lock(%free, Release, %c4)
        aie.end
      }
      %3 = aiex.dma_configure_task(%s, S2MM, 0) {
        aie.dma_bd(%y : memref<64xi32> offset = 0 len = 64) {bd_id = 1 : i32}
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%2)
      aiex.dma_start_task(%3)
      aiex.dma_await_task(%3)
    }
  }
}
