// Objects go through a mem tile, which sends an object of 16 numbers as two of 8; a core adds one.
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, 2)
    aie.objectfifo @in_l2(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @in_l1(%m, {%c}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo.link [@in_l2] -> [@in_l1] ([] [])
    aie.objectfifo @out_l1(%c, {%m}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @out_l2(%m, {%s}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo.link [@out_l1] -> [@out_l2] ([] [])
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %forever = arith.constant 9223372036854775806 : index
      %one = arith.constant 1 : i32
      scf.for %i = %c0 to %forever step %c1 {
        %x = aie.objectfifo.acquire @in_l1(Consume, 1) : memref<8xi32>
        %y = aie.objectfifo.acquire @out_l1(Produce, 1) : memref<8xi32>
        scf.for %k = %c0 to %c8 step %c1 {
          %0 = memref.load %x[%k] : memref<8xi32>
          %1 = arith.addi %0, %one : i32
          memref.store %1, %y[%k] : memref<8xi32>
        }
        aie.objectfifo.release @in_l1(Consume, 1)
        aie.objectfifo.release @out_l1(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<64xi32>, %b: memref<64xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @in_l2} : memref<64xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @out_l2} : memref<64xi32>
      aiex.npu.dma_wait {symbol = @out_l2}
    }
  }
}
