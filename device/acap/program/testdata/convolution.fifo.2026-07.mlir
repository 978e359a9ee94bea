// convolution on npu1, object FIFO level, in the shape of mlir-aie 2026-07
module {
  aie.device(npu1) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    %tile_1_0 = aie.tile(1, 0)
    %tile_1_1 = aie.tile(1, 1)
    %tile_2_0 = aie.tile(2, 0)
    %tile_2_1 = aie.tile(2, 1)
    aie.objectfifo @a0_0_l2(%tile_0_0, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<4x18x8xbf16>>
    aie.objectfifo @a0_0_l1(%tile_0_1, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<32x24xbf16>>
    aie.objectfifo @a1_0_l2(%tile_1_0, {%tile_1_1}, 2 : i32) : !aie.objectfifo<memref<4x18x8xbf16>>
    aie.objectfifo @a1_0_l1(%tile_1_1, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<32x24xbf16>>
    aie.objectfifo @b0_0_l2(%tile_2_0, {%tile_2_1}, 2 : i32) : !aie.objectfifo<memref<1x24x8xbf16>>
    aie.objectfifo @b0_0_l1(%tile_2_1 dimensionsToStream [<size = 3, stride = 64>, <size = 2, stride = 4>, <size = 8, stride = 8>, <size = 4, stride = 1>], {%tile_0_2, %tile_0_3}, 2 : i32) : !aie.objectfifo<memref<24x8xbf16>>
    aie.objectfifo @c0_0_l1(%tile_0_2, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<32x8xbf16>>
    aie.objectfifo @c0_1_l1(%tile_0_3, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<32x8xbf16>>
    aie.objectfifo @c0_l2(%tile_0_1 dimensionsToStream [<size = 16, stride = 32>, <size = 4, stride = 4>, <size = 2, stride = 16>, <size = 4, stride = 1>], {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<2x32x8xbf16>>
    aie.objectfifo.link [@a0_0_l2] -> [@a0_0_l1] ([] [])
    // window at 0 [<size = 3, stride = 144>, <size = 2, stride = 144>, <size = 16, stride = 8>, <size = 24, stride = 1>]
    aie.objectfifo.link [@a1_0_l2] -> [@a1_0_l1] ([] [])
    // window at 0 [<size = 3, stride = 144>, <size = 2, stride = 144>, <size = 16, stride = 8>, <size = 24, stride = 1>]
    aie.objectfifo.link [@b0_0_l2] -> [@b0_0_l1] ([] [])
    aie.objectfifo.link [@c0_0_l1, @c0_1_l1] -> [@c0_l2] ([0, 256] [])
    func.func private @capture_24x8bf16_1x8bf16_0(memref<24x8xbf16>, memref<1x8xbf16>)
    func.func private @finish_32x8f32_1x8bf16_32x8bf16(memref<32x8xf32>, memref<1x8xbf16>, memref<32x8xbf16>)
    func.func private @matmul_32x24bf16_24x8bf16_32x8f32(memref<32x24xbf16>, memref<24x8xbf16>, memref<32x8xf32>)
    func.func private @zero_32x8f32(memref<32x8xf32>)
    aie.core(%tile_0_2) {
      %local0 = memref.alloc() : memref<32x8xf32>
      %local1 = memref.alloc() : memref<1x8xbf16>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @c0_0_l1(Produce, 1) : memref<32x8xbf16>
        func.call @zero_32x8f32(%local0) : (memref<32x8xf32>) -> () // 0 cycles
        %2 = arith.constant 3 : index
        scf.for %i4 = %c0 to %2 step %c1 {
          %3 = aie.objectfifo.acquire @a0_0_l1(Consume, 1) : memref<32x24xbf16>
          %4 = aie.objectfifo.acquire @b0_0_l1(Consume, 1) : memref<24x8xbf16>
          func.call @matmul_32x24bf16_24x8bf16_32x8f32(%3, %4, %local0) : (memref<32x24xbf16>, memref<24x8xbf16>, memref<32x8xf32>) -> () // 1019 cycles
          aie.objectfifo.release @a0_0_l1(Consume, 1)
          aie.objectfifo.release @b0_0_l1(Consume, 1)
        }
        %5 = aie.objectfifo.acquire @b0_0_l1(Consume, 1) : memref<24x8xbf16>
        func.call @capture_24x8bf16_1x8bf16_0(%5, %local1) : (memref<24x8xbf16>, memref<1x8xbf16>) -> () // 0 cycles
        aie.objectfifo.release @b0_0_l1(Consume, 1)
        func.call @finish_32x8f32_1x8bf16_32x8bf16(%local0, %local1, %1) : (memref<32x8xf32>, memref<1x8xbf16>, memref<32x8xbf16>) -> () // 0 cycles
        aie.objectfifo.release @c0_0_l1(Produce, 1)
      }
      aie.end
    }
    aie.core(%tile_0_3) {
      %local0 = memref.alloc() : memref<32x8xf32>
      %local1 = memref.alloc() : memref<1x8xbf16>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @c0_1_l1(Produce, 1) : memref<32x8xbf16>
        func.call @zero_32x8f32(%local0) : (memref<32x8xf32>) -> () // 0 cycles
        %2 = arith.constant 3 : index
        scf.for %i4 = %c0 to %2 step %c1 {
          %3 = aie.objectfifo.acquire @a1_0_l1(Consume, 1) : memref<32x24xbf16>
          %4 = aie.objectfifo.acquire @b0_0_l1(Consume, 1) : memref<24x8xbf16>
          func.call @matmul_32x24bf16_24x8bf16_32x8f32(%3, %4, %local0) : (memref<32x24xbf16>, memref<24x8xbf16>, memref<32x8xf32>) -> () // 1019 cycles
          aie.objectfifo.release @a1_0_l1(Consume, 1)
          aie.objectfifo.release @b0_0_l1(Consume, 1)
        }
        %5 = aie.objectfifo.acquire @b0_0_l1(Consume, 1) : memref<24x8xbf16>
        func.call @capture_24x8bf16_1x8bf16_0(%5, %local1) : (memref<24x8xbf16>, memref<1x8xbf16>) -> () // 0 cycles
        aie.objectfifo.release @b0_0_l1(Consume, 1)
        func.call @finish_32x8f32_1x8bf16_32x8bf16(%local0, %local1, %1) : (memref<32x8xf32>, memref<1x8xbf16>, memref<32x8xbf16>) -> () // 0 cycles
        aie.objectfifo.release @c0_1_l1(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<1x1x18x18x8xbf16>, %b: memref<1x72x8xbf16>, %e0: memref<1x1x8xbf16>, %c: memref<1x256x8xbf16>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 0 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 288][1, 1, 1, 576][0, 0, 0, 1]) {id = 0 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 2 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 576][1, 1, 1, 576][0, 0, 0, 1]) {id = 1 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 864][1, 1, 1, 576][0, 0, 0, 1]) {id = 1 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 3 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1152][1, 1, 1, 576][0, 0, 0, 1]) {id = 2 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1440][1, 1, 1, 576][0, 0, 0, 1]) {id = 2 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 2 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 3 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 0 : i64, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1728][1, 1, 1, 576][0, 0, 0, 1]) {id = 3 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 2016][1, 1, 1, 576][0, 0, 0, 1]) {id = 3 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 1 : i64, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 2 : i64, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 3 : i64, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 512][0, 0, 0, 1]) {id = 4 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 512][1, 1, 1, 512][0, 0, 0, 1]) {id = 5 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 1024][1, 1, 1, 512][0, 0, 0, 1]) {id = 6 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 1536][1, 1, 1, 512][0, 0, 0, 1]) {id = 7 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c0_l2}
    }
  }
}
