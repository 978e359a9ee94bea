// Data pass through a mem tile alone; the host's tasks name their descriptors.
module {
  aie.device(npu1) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo @out(%m, {%s}, 2 : i32) : !aie.objectfifo<memref<32xi32>>
    aie.objectfifo.link [@in] -> [@out] ([] [])
    aie.runtime_sequence @sequence(%a: memref<128xi32>, %b: memref<128xi32>) {
      %0 = aiex.dma_configure_task_for @in {
        aie.dma_bd(%a : memref<128xi32> offset = 0 len = 128 sizes = [1, 1, 1, 128] strides = [0, 0, 0, 1]) {burst_length = 0 : i32}
        aie.end
      }
      %1 = aiex.dma_configure_task_for @out {
        aie.dma_bd(%b : memref<128xi32> offset = 0 len = 128)
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%0)
      aiex.dma_start_task(%1)
      aiex.dma_await_task(%1)
      aiex.dma_free_task(%0)
    }
  }
}
