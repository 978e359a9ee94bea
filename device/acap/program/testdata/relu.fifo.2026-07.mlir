// relu on npu1, object FIFO level, in the shape of mlir-aie 2026-07
module {
  aie.device(npu1) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    aie.objectfifo @in0_0_l2(%tile_0_0, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<2x1024xbf16>>
    aie.objectfifo @in0_0_0_l1(%tile_0_1, {%tile_0_2}, 2 : i32) : !aie.objectfifo<memref<1024xbf16>>
    aie.objectfifo @in0_0_1_l1(%tile_0_1, {%tile_0_3}, 2 : i32) : !aie.objectfifo<memref<1024xbf16>>
    aie.objectfifo @out0_0_0_l1(%tile_0_2, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<1024xbf16>>
    aie.objectfifo @out0_0_1_l1(%tile_0_3, {%tile_0_1}, 2 : i32) : !aie.objectfifo<memref<1024xbf16>>
    aie.objectfifo @out0_0_l2(%tile_0_1, {%tile_0_0}, 2 : i32) : !aie.objectfifo<memref<2x1024xbf16>>
    aie.objectfifo.link [@in0_0_l2] -> [@in0_0_0_l1, @in0_0_1_l1] ([] [0, 1024])
    aie.objectfifo.link [@out0_0_0_l1, @out0_0_1_l1] -> [@out0_0_l2] ([0, 1024] [])
    func.func private @pointwise_1024bf16_1024bf16(memref<1024xbf16>, memref<1024xbf16>)
    aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @in0_0_0_l1(Consume, 1) : memref<1024xbf16>
        %2 = aie.objectfifo.acquire @out0_0_0_l1(Produce, 1) : memref<1024xbf16>
        func.call @pointwise_1024bf16_1024bf16(%1, %2) : (memref<1024xbf16>, memref<1024xbf16>) -> () // 986 cycles
        aie.objectfifo.release @in0_0_0_l1(Consume, 1)
        aie.objectfifo.release @out0_0_0_l1(Produce, 1)
      }
      aie.end
    }
    aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %1 = aie.objectfifo.acquire @in0_0_1_l1(Consume, 1) : memref<1024xbf16>
        %2 = aie.objectfifo.acquire @out0_0_1_l1(Produce, 1) : memref<1024xbf16>
        func.call @pointwise_1024bf16_1024bf16(%1, %2) : (memref<1024xbf16>, memref<1024xbf16>) -> () // 986 cycles
        aie.objectfifo.release @in0_0_1_l1(Consume, 1)
        aie.objectfifo.release @out0_0_1_l1(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%in0: memref<8192xbf16>, %out0: memref<8192xbf16>) {
      aiex.npu.dma_memcpy_nd(%in0[0, 0, 0, 0][1, 1, 1, 8192][0, 0, 0, 1]) {id = 0 : i64, metadata = @in0_0_l2} : memref<8192xbf16>
      aiex.npu.dma_memcpy_nd(%out0[0, 0, 0, 0][1, 1, 1, 8192][0, 0, 0, 1]) {id = 4 : i64, issue_token = true, metadata = @out0_0_l2} : memref<8192xbf16>
      aiex.npu.dma_wait {symbol = @out0_0_l2}
    }
  }
}
