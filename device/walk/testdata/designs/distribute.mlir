// A mem tile hands halves of an object to two cores, which add and subtract, and joins their results.
module {
  aie.device(npu1) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, 2)
    %d = aie.tile(0, 4)
    aie.objectfifo @in(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<12xi32>>
    aie.objectfifo @in_c(%m, {%c}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @in_d(%m, {%d}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo.link [@in] -> [@in_c, @in_d] ([] [0, 4])
    aie.objectfifo @out_c(%c, {%m}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @out_d(%d, {%m}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @out(%m, {%s}, 2 : i32) : !aie.objectfifo<memref<12xi32>>
    aie.objectfifo.link [@out_c, @out_d] -> [@out] ([0, 4] [])
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %k = arith.constant 100 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %x = aie.objectfifo.acquire @in_c(Consume, 1) : memref<4xi32>
        %y = aie.objectfifo.acquire @out_c(Produce, 1) : memref<4xi32>
        scf.for %j = %c0 to %c4 step %c1 {
          %0 = memref.load %x[%j] : memref<4xi32>
          %1 = arith.addi %0, %k : i32
          memref.store %1, %y[%j] : memref<4xi32>
        }
        aie.objectfifo.release @in_c(Consume, 1)
        aie.objectfifo.release @out_c(Produce, 1)
      }
      aie.end
    }
    aie.core(%d) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %k = arith.constant 7 : i32
      scf.for %i = %c0 to %c4 step %c1 {
        %x = aie.objectfifo.acquire @in_d(Consume, 1) : memref<8xi32>
        %y = aie.objectfifo.acquire @out_d(Produce, 1) : memref<8xi32>
        scf.for %j = %c0 to %c8 step %c1 {
          %0 = memref.load %x[%j] : memref<8xi32>
          %1 = arith.subi %0, %k : i32
          memref.store %1, %y[%j] : memref<8xi32>
        }
        aie.objectfifo.release @in_d(Consume, 1)
        aie.objectfifo.release @out_d(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<48xi32>, %b: memref<48xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<48xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 48][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<48xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
