// The host's transfer reads a matrix of 8 by 16 by columns.
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %c = aie.tile(0, 2)
    aie.objectfifo @in(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<16x8xi32>>
    aie.objectfifo @out(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<16x8xi32>>
    aie.objectfifo.link [@in] -> [@out] ([] [])
    aie.runtime_sequence(%a: memref<8x16xi32>, %b: memref<16x8xi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 16, 8, 1][0, 1, 16, 1]) {id = 0 : i64, metadata = @in} : memref<8x16xi32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 1 : i64, metadata = @out} : memref<16x8xi32>
      aiex.npu.dma_wait {symbol = @out}
    }
  }
}
