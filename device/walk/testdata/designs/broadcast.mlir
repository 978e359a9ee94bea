// Two cores see all objects, the second in an order of its own; neighbours pass objects in memory that they share, of which
// one is there at first, and a parameter comes from the host.
module {
  aie.device(npu1) {
    %s = aie.tile(0, 0)
    %t = aie.tile(1, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, 2)
    %d = aie.tile(0, 3)
    %p = aie.buffer(%c) {sym_name = "parameter"} : memref<2xi32>
    %go = aie.lock(%c, 0) {init = 0 : i32, sym_name = "go"}
    aie.objectfifo @in(%s, {%c, %d dimensionsFromStream [<size = 2, stride = 1>, <size = 2, stride = 2>]}, [2, 2, 3]) : !aie.objectfifo<memref<4xi32>>
    aie.objectfifo @between(%c, {%d}, 1 : i32) : !aie.objectfifo<memref<4xi32>> = [dense<[1, 2, 3, 4]> : memref<4xi32>]
    aie.objectfifo @out(%d, {%t}, 2 : i32) : !aie.objectfifo<memref<4xi32>>
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      aie.use_lock(%go, AcquireGreaterEqual, 1)
      %k = memref.load %p[%c1] : memref<2xi32>
      scf.for %i = %c0 to %c3 step %c1 {
        %x = aie.objectfifo.acquire @in(Consume, 1) : memref<4xi32>
        %y = aie.objectfifo.acquire @between(Produce, 1) : memref<4xi32>
        scf.for %j = %c0 to %c4 step %c1 {
          %0 = memref.load %x[%j] : memref<4xi32>
          %1 = arith.muli %0, %k : i32
          memref.store %1, %y[%j] : memref<4xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @between(Produce, 1)
      }
      aie.end
    }
    aie.core(%d) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      scf.for %i = %c0 to %c3 step %c1 {
        %x = aie.objectfifo.acquire @in(Consume, 1) : !aie.objectfifosubview<memref<4xi32>>
        %x0 = aie.objectfifo.subview.access %x[0] : !aie.objectfifosubview<memref<4xi32>> -> memref<4xi32>
        %z = aie.objectfifo.acquire @between(Consume, 1) : memref<4xi32>
        %y = aie.objectfifo.acquire @out(Produce, 1) : memref<4xi32>
        scf.for %j = %c0 to %c4 step %c1 {
          %0 = memref.load %x0[%j] : memref<4xi32>
          %1 = memref.load %z[%j] : memref<4xi32>
          %2 = arith.addi %0, %1 : i32
          memref.store %2, %y[%j] : memref<4xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @between(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<12xi32>, %b: memref<12xi32>) {
      aiex.npu.rtp_write(@parameter, 1, 10)
      aiex.set_lock(%go, 1)
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 12][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<12xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 12][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<12xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
