// product on npu1, object FIFO level, in the shape of mlir-aie 2026-07
module {
  aie.device(npu1) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    %tile_1_0 = aie.tile(1, 0)
    %tile_1_1 = aie.tile(1, 1)
    %tile_1_2 = aie.tile(1, 2)
    %tile_1_3 = aie.tile(1, 3)
    %tile_2_0 = aie.tile(2, 0)
    %tile_2_1 = aie.tile(2, 1)
    %tile_3_0 = aie.tile(3, 0)
    %tile_3_1 = aie.tile(3, 1)
    aie.objectfifo @a0_0_l2(%tile_0_0, {%tile_0_1 dimensionsFromStream [<size = 16, stride = 16>, <size = 2, stride = 256>, <size = 16, stride = 1>]}, 2 : i32) : !aie.objectfifo<memref<2x16x16xbf16>>
    aie.objectfifo @a0_0_l1(%tile_0_1 dimensionsToStream [<size = 8, stride = 64>, <size = 2, stride = 8>, <size = 4, stride = 16>, <size = 8, stride = 1>], {%tile_0_2, %tile_1_2}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @a1_0_l2(%tile_1_0, {%tile_1_1 dimensionsFromStream [<size = 16, stride = 16>, <size = 2, stride = 256>, <size = 16, stride = 1>]}, 2 : i32) : !aie.objectfifo<memref<2x16x16xbf16>>
    aie.objectfifo @a1_0_l1(%tile_1_1 dimensionsToStream [<size = 8, stride = 64>, <size = 2, stride = 8>, <size = 4, stride = 16>, <size = 8, stride = 1>], {%tile_0_3, %tile_1_3}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @b0_0_l2(%tile_2_0, {%tile_2_1}, 2 : i32) : !aie.objectfifo<memref<2x16x16xbf16>>
    aie.objectfifo @b0_0_l1(%tile_2_1 dimensionsToStream [<size = 4, stride = 128>, <size = 4, stride = 4>, <size = 8, stride = 16>, <size = 4, stride = 1>], {%tile_0_2, %tile_0_3}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @b1_0_l2(%tile_3_0, {%tile_3_1}, 2 : i32) : !aie.objectfifo<memref<2x16x16xbf16>>
    aie.objectfifo @b1_0_l1(%tile_3_1 dimensionsToStream [<size = 4, stride = 128>, <size = 4, stride = 4>, <size = 8, stride = 16>, <size = 4, stride = 1>], {%tile_1_2, %tile_1_3}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @c0_0_l1(%tile_0_2, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @c0_1_l1(%tile_0_3, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @c0_l2(%tile_0_1 dimensionsToStream [<size = 8, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>], {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<2x16x16xbf16>>
    aie.objectfifo @c1_0_l1(%tile_1_2, {%tile_1_1}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @c1_1_l1(%tile_1_3, {%tile_1_1}, 2 : i32) : !aie.objectfifo<memref<16x16xbf16>>
    aie.objectfifo @c1_l2(%tile_1_1 dimensionsToStream [<size = 8, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>], {%tile_1_0}, 2 : i32) : !aie.objectfifo<memref<2x16x16xbf16>>
    aie.objectfifo.link [@a0_0_l2] -> [@a0_0_l1] ([] [])
    aie.objectfifo.link [@a1_0_l2] -> [@a1_0_l1] ([] [])
    aie.objectfifo.link [@b0_0_l2] -> [@b0_0_l1] ([] [])
    aie.objectfifo.link [@b1_0_l2] -> [@b1_0_l1] ([] [])
    aie.objectfifo.link [@c0_0_l1, @c0_1_l1] -> [@c0_l2] ([0, 256] [])
    aie.objectfifo.link [@c1_0_l1, @c1_1_l1] -> [@c1_l2] ([0, 256] [])
    func.func private @finish_16x16f32_16x16bf16(memref<16x16xf32>, memref<16x16xbf16>)
    func.func private @matmul_16x16bf16_16x16bf16_16x16f32(memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>)
    func.func private @zero_16x16f32(memref<16x16xf32>)
    aie.core(%tile_0_2) {
      %local0 = memref.alloc() : memref<16x16xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @c0_0_l1(Produce, 1) : memref<16x16xbf16>
        func.call @zero_16x16f32(%local0) : (memref<16x16xf32>) -> () // 0 cycles
        %2 = arith.constant 4 : index
        scf.for %i4 = %c0 to %2 step %c1 {
          %3 = aie.objectfifo.acquire @a0_0_l1(Consume, 1) : memref<16x16xbf16>
          %4 = aie.objectfifo.acquire @b0_0_l1(Consume, 1) : memref<16x16xbf16>
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %4, %local0) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          aie.objectfifo.release @a0_0_l1(Consume, 1)
          aie.objectfifo.release @b0_0_l1(Consume, 1)
        }
        func.call @finish_16x16f32_16x16bf16(%local0, %1) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        aie.objectfifo.release @c0_0_l1(Produce, 1)
      }
      aie.end
    }
    aie.core(%tile_1_2) {
      %local0 = memref.alloc() : memref<16x16xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @c1_0_l1(Produce, 1) : memref<16x16xbf16>
        func.call @zero_16x16f32(%local0) : (memref<16x16xf32>) -> () // 0 cycles
        %2 = arith.constant 4 : index
        scf.for %i4 = %c0 to %2 step %c1 {
          %3 = aie.objectfifo.acquire @a0_0_l1(Consume, 1) : memref<16x16xbf16>
          %4 = aie.objectfifo.acquire @b1_0_l1(Consume, 1) : memref<16x16xbf16>
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %4, %local0) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          aie.objectfifo.release @a0_0_l1(Consume, 1)
          aie.objectfifo.release @b1_0_l1(Consume, 1)
        }
        func.call @finish_16x16f32_16x16bf16(%local0, %1) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        aie.objectfifo.release @c1_0_l1(Produce, 1)
      }
      aie.end
    }
    aie.core(%tile_0_3) {
      %local0 = memref.alloc() : memref<16x16xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @c0_1_l1(Produce, 1) : memref<16x16xbf16>
        func.call @zero_16x16f32(%local0) : (memref<16x16xf32>) -> () // 0 cycles
        %2 = arith.constant 4 : index
        scf.for %i4 = %c0 to %2 step %c1 {
          %3 = aie.objectfifo.acquire @a1_0_l1(Consume, 1) : memref<16x16xbf16>
          %4 = aie.objectfifo.acquire @b0_0_l1(Consume, 1) : memref<16x16xbf16>
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %4, %local0) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          aie.objectfifo.release @a1_0_l1(Consume, 1)
          aie.objectfifo.release @b0_0_l1(Consume, 1)
        }
        func.call @finish_16x16f32_16x16bf16(%local0, %1) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        aie.objectfifo.release @c0_1_l1(Produce, 1)
      }
      aie.end
    }
    aie.core(%tile_1_3) {
      %local0 = memref.alloc() : memref<16x16xf32>
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @c1_1_l1(Produce, 1) : memref<16x16xbf16>
        func.call @zero_16x16f32(%local0) : (memref<16x16xf32>) -> () // 0 cycles
        %2 = arith.constant 4 : index
        scf.for %i4 = %c0 to %2 step %c1 {
          %3 = aie.objectfifo.acquire @a1_0_l1(Consume, 1) : memref<16x16xbf16>
          %4 = aie.objectfifo.acquire @b1_0_l1(Consume, 1) : memref<16x16xbf16>
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %4, %local0) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          aie.objectfifo.release @a1_0_l1(Consume, 1)
          aie.objectfifo.release @b1_0_l1(Consume, 1)
        }
        func.call @finish_16x16f32_16x16bf16(%local0, %1) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        aie.objectfifo.release @c1_1_l1(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<1x64x64xbf16>, %b: memref<1x64x64xbf16>, %c: memref<1x64x64xbf16>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 2, 16, 32][0, 32, 64, 1]) {id = 0 : i64, metadata = @a0_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1024][2, 2, 16, 32][0, 32, 64, 1]) {id = 0 : i64, metadata = @a1_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 2, 64, 16][0, 32, 64, 1]) {id = 0 : i64, metadata = @b0_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 16][1, 2, 64, 16][0, 32, 64, 1]) {id = 0 : i64, metadata = @b1_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 2, 32, 16][0, 32, 64, 1]) {id = 4 : i64, issue_token = true, metadata = @c0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 16][1, 2, 32, 16][0, 32, 64, 1]) {id = 4 : i64, issue_token = true, metadata = @c1_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c1_l2}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 2048][2, 2, 16, 32][0, 32, 64, 1]) {id = 1 : i64, metadata = @a0_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 3072][2, 2, 16, 32][0, 32, 64, 1]) {id = 1 : i64, metadata = @a1_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 2, 64, 16][0, 32, 64, 1]) {id = 1 : i64, metadata = @b0_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 16][1, 2, 64, 16][0, 32, 64, 1]) {id = 1 : i64, metadata = @b1_0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 2048][1, 2, 32, 16][0, 32, 64, 1]) {id = 5 : i64, issue_token = true, metadata = @c0_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 2064][1, 2, 32, 16][0, 32, 64, 1]) {id = 5 : i64, issue_token = true, metadata = @c1_l2} : memref<1x64x64xbf16>
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c1_l2}
    }
  }
}
