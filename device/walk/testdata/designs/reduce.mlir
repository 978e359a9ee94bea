// A core adds up all objects in a buffer of its own, whose first contents the design gives.
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    %sum = aie.buffer(%c) {sym_name = "sum"} : memref<1xi32> = dense<1000>
    aie.objectfifo @in(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.objectfifo @out(%c, {%s}, 1 : i32) : !aie.objectfifo<memref<1xi32>>
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      scf.for %i = %c0 to %c4 step %c1 {
        %x = aie.objectfifo.acquire @in(Consume, 1) : memref<8xi32>
        scf.for %k = %c0 to %c8 step %c1 {
          %0 = memref.load %x[%k] : memref<8xi32>
          %1 = memref.load %sum[%c0] : memref<1xi32>
          %2 = arith.addi %0, %1 : i32
          memref.store %2, %sum[%c0] : memref<1xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
      }
      %y = aie.objectfifo.acquire @out(Produce, 1) : memref<1xi32>
      %3 = memref.load %sum[%c0] : memref<1xi32>
      memref.store %3, %y[%c0] : memref<1xi32>
      aie.objectfifo.release @out(Produce, 1)
      aie.end
    }
    aie.runtime_sequence(%a: memref<32xi32>, %b: memref<1xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 32][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<32xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 1][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<1xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
