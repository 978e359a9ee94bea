// Three cores pass a sum along their accumulators.
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %a = aie.tile(0, 3)
    %b = aie.tile(1, 3)
    %c = aie.tile(1, 2)
    aie.cascade_flow(%a, %b)
    aie.cascade_flow(%b, %c)
    aie.objectfifo @in(%s, {%a}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out(%c, {%s}, 1 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.core(%a) {
      %c0 = arith.constant 0 : index
      %x = aie.objectfifo.acquire @in(Consume, 1) : memref<16xi32>
      %v = vector.load %x[%c0] : memref<16xi32>, vector<16xi32>
      aie.put_cascade(%v : vector<16xi32>)
      aie.objectfifo.release @in(Consume, 1)
      aie.end
    }
    aie.core(%b) {
      %two = arith.constant dense<2> : vector<16xi32>
      %v = aie.get_cascade() : vector<16xi32>
      %w = arith.muli %v, %two : vector<16xi32>
      aie.put_cascade(%w : vector<16xi32>)
      aie.end
    }
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %five = arith.constant dense<5> : vector<16xi32>
      %y = aie.objectfifo.acquire @out(Produce, 1) : memref<16xi32>
      %v = aie.get_cascade() : vector<16xi32>
      %w = arith.addi %v, %five : vector<16xi32>
      vector.store %w, %y[%c0] : memref<16xi32>, vector<16xi32>
      aie.objectfifo.release @out(Produce, 1)
      aie.end
    }
    aie.runtime_sequence(%x: memref<16xi32>, %y: memref<16xi32>) {
      aiex.npu.dma_memcpy_nd(%x[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 0 : i64, metadata = @in} : memref<16xi32>
      aiex.npu.dma_memcpy_nd(%y[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<16xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
