// A product of matrices of 8 by 8 in tiles of 4 by 4: the host repeats the rows of the left one, the mem tile sends the right
// one's tiles, and a core adds up the products.
module {
  aie.device(npu2) {
    %s = aie.tile(0, 0)
    %m = aie.tile(0, 1)
    %c = aie.tile(0, 2)
    aie.objectfifo @a(%s, {%c}, 2 : i32) : !aie.objectfifo<memref<4x4xf32>>
    aie.objectfifo @b(%s, {%m}, 2 : i32) : !aie.objectfifo<memref<8x4xf32>>
    aie.objectfifo @b1(%m, {%c}, 2 : i32) : !aie.objectfifo<memref<4x4xf32>>
    aie.objectfifo.link [@b] -> [@b1] ([] [])
    aie.objectfifo @c(%c, {%s}, 2 : i32) : !aie.objectfifo<memref<4x4xf32>>
    aie.core(%c) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %zero = arith.constant 0.0 : f32
      scf.for %t = %c0 to %c4 step %c1 {
        %z = aie.objectfifo.acquire @c(Produce, 1) : memref<4x4xf32>
        linalg.fill ins(%zero : f32) outs(%z : memref<4x4xf32>)
        scf.for %k = %c0 to %c2 step %c1 {
          %x = aie.objectfifo.acquire @a(Consume, 1) : memref<4x4xf32>
          %y = aie.objectfifo.acquire @b1(Consume, 1) : memref<4x4xf32>
          linalg.matmul ins(%x, %y : memref<4x4xf32>, memref<4x4xf32>) outs(%z : memref<4x4xf32>)
          aie.objectfifo.release @a(Consume, 1)
          aie.objectfifo.release @b1(Consume, 1)
        }
        aie.objectfifo.release @c(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c_: memref<8x8xf32>) {
      aiex.npu.dma_memcpy_nd(%c_[0, 0, 0, 0][2, 2, 4, 4][32, 4, 8, 1]) {id = 0 : i64, metadata = @c} : memref<8x8xf32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 2, 4, 4][0, 4, 8, 1]) {id = 1 : i64, metadata = @a} : memref<8x8xf32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 2, 8, 4][0, 4, 8, 1]) {id = 2 : i64, metadata = @b} : memref<8x8xf32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 32][2, 2, 4, 4][0, 4, 8, 1]) {id = 3 : i64, metadata = @a} : memref<8x8xf32>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 2, 8, 4][0, 4, 8, 1]) {id = 4 : i64, metadata = @b} : memref<8x8xf32>
      aiex.npu.dma_wait {symbol = @c}
    }
  }
}
