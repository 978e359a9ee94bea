// A kernel scales by a factor, which comes by a FIFO of its own and stays.
module {
  aie.device(npu1_1col) {
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    aie.objectfifo @in(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<16xi16>>
    aie.objectfifo @factor(%s, {%c}, 1 : i32) : !aie.objectfifo<memref<1xi32>>
    aie.objectfifo @out(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<16xi16>>
    func.func @scale(%x: memref<16xi16>, %y: memref<16xi16>, %f: memref<1xi32>, %n: i32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %k = memref.load %f[%c0] : memref<1xi32>
      %t = arith.trunci %k : i32 to i16
      %end = arith.index_cast %n : i32 to index
      scf.for %i = %c0 to %end step %c1 {
        %0 = memref.load %x[%i] : memref<16xi16>
        %1 = arith.muli %0, %t : i16
        memref.store %1, %y[%i] : memref<16xi16>
      }
      return
    }
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %n = arith.constant 16 : i32
      %f = aie.objectfifo.acquire @factor(Consume, 1) : memref<1xi32>
      scf.for %i = %c0 to %c4 step %c1 {
        %y = aie.objectfifo.acquire @out(Produce, 1) : memref<16xi16>
        %x = aie.objectfifo.acquire @in(Consume, 1) : memref<16xi16>
        func.call @scale(%x, %y, %f, %n) : (memref<16xi16>, memref<16xi16>, memref<1xi32>, i32) -> ()
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.objectfifo.release @factor(Consume, 1)
      aie.end
    } {link_with = "scale.o"}
    aie.runtime_sequence(%a: memref<64xi16>, %f: memref<1xi32>, %b: memref<64xi16>) {
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 0 : i64, metadata = @out} : memref<64xi16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 64][0, 0, 0, 1]) {id = 1 : i64, metadata = @in} : memref<64xi16>
      aiex.npu.dma_memcpy_nd(%f[0, 0, 0, 0][1, 1, 1, 1][0, 0, 0, 1]) {id = 2 : i64, metadata = @factor} : memref<1xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
