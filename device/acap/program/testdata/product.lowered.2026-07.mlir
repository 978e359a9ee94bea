// product on npu1, lowered level, in the shape of mlir-aie 2026-07
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
    %a0_0_l2_buff_0_0_1 = aie.buffer(%tile_0_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "a0_0_l2_buff_0_0_1"} : memref<2x16x16xbf16>
    %a0_0_l2_buff_1_0_1 = aie.buffer(%tile_0_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "a0_0_l2_buff_1_0_1"} : memref<2x16x16xbf16>
    %a1_0_l2_buff_0_1_1 = aie.buffer(%tile_1_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "a1_0_l2_buff_0_1_1"} : memref<2x16x16xbf16>
    %a1_0_l2_buff_1_1_1 = aie.buffer(%tile_1_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "a1_0_l2_buff_1_1_1"} : memref<2x16x16xbf16>
    %b0_0_l2_buff_0_2_1 = aie.buffer(%tile_2_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "b0_0_l2_buff_0_2_1"} : memref<2x16x16xbf16>
    %b0_0_l2_buff_1_2_1 = aie.buffer(%tile_2_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "b0_0_l2_buff_1_2_1"} : memref<2x16x16xbf16>
    %b1_0_l2_buff_0_3_1 = aie.buffer(%tile_3_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "b1_0_l2_buff_0_3_1"} : memref<2x16x16xbf16>
    %b1_0_l2_buff_1_3_1 = aie.buffer(%tile_3_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "b1_0_l2_buff_1_3_1"} : memref<2x16x16xbf16>
    %c0_l2_buff_0_0_1 = aie.buffer(%tile_0_1) {address = 131072 : i32, mem_bank = 2 : i32, sym_name = "c0_l2_buff_0_0_1"} : memref<2x16x16xbf16>
    %c0_l2_buff_1_0_1 = aie.buffer(%tile_0_1) {address = 196608 : i32, mem_bank = 3 : i32, sym_name = "c0_l2_buff_1_0_1"} : memref<2x16x16xbf16>
    %c1_l2_buff_0_1_1 = aie.buffer(%tile_1_1) {address = 131072 : i32, mem_bank = 2 : i32, sym_name = "c1_l2_buff_0_1_1"} : memref<2x16x16xbf16>
    %c1_l2_buff_1_1_1 = aie.buffer(%tile_1_1) {address = 196608 : i32, mem_bank = 3 : i32, sym_name = "c1_l2_buff_1_1_1"} : memref<2x16x16xbf16>
    %a0_0_l1_cons_0_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "a0_0_l1_cons_0_buff_0_0_2"} : memref<16x16xbf16>
    %a0_0_l1_cons_0_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "a0_0_l1_cons_0_buff_1_0_2"} : memref<16x16xbf16>
    %a0_0_l1_cons_1_buff_0_1_2 = aie.buffer(%tile_1_2) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "a0_0_l1_cons_1_buff_0_1_2"} : memref<16x16xbf16>
    %a0_0_l1_cons_1_buff_1_1_2 = aie.buffer(%tile_1_2) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "a0_0_l1_cons_1_buff_1_1_2"} : memref<16x16xbf16>
    %a1_0_l1_cons_0_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "a1_0_l1_cons_0_buff_0_0_3"} : memref<16x16xbf16>
    %a1_0_l1_cons_0_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "a1_0_l1_cons_0_buff_1_0_3"} : memref<16x16xbf16>
    %a1_0_l1_cons_1_buff_0_1_3 = aie.buffer(%tile_1_3) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "a1_0_l1_cons_1_buff_0_1_3"} : memref<16x16xbf16>
    %a1_0_l1_cons_1_buff_1_1_3 = aie.buffer(%tile_1_3) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "a1_0_l1_cons_1_buff_1_1_3"} : memref<16x16xbf16>
    %b0_0_l1_cons_0_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 33280 : i32, mem_bank = 2 : i32, sym_name = "b0_0_l1_cons_0_buff_0_0_2"} : memref<16x16xbf16>
    %b0_0_l1_cons_0_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 49664 : i32, mem_bank = 3 : i32, sym_name = "b0_0_l1_cons_0_buff_1_0_2"} : memref<16x16xbf16>
    %b0_0_l1_cons_1_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 33280 : i32, mem_bank = 2 : i32, sym_name = "b0_0_l1_cons_1_buff_0_0_3"} : memref<16x16xbf16>
    %b0_0_l1_cons_1_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 49664 : i32, mem_bank = 3 : i32, sym_name = "b0_0_l1_cons_1_buff_1_0_3"} : memref<16x16xbf16>
    %b1_0_l1_cons_0_buff_0_1_2 = aie.buffer(%tile_1_2) {address = 33280 : i32, mem_bank = 2 : i32, sym_name = "b1_0_l1_cons_0_buff_0_1_2"} : memref<16x16xbf16>
    %b1_0_l1_cons_0_buff_1_1_2 = aie.buffer(%tile_1_2) {address = 49664 : i32, mem_bank = 3 : i32, sym_name = "b1_0_l1_cons_0_buff_1_1_2"} : memref<16x16xbf16>
    %b1_0_l1_cons_1_buff_0_1_3 = aie.buffer(%tile_1_3) {address = 33280 : i32, mem_bank = 2 : i32, sym_name = "b1_0_l1_cons_1_buff_0_1_3"} : memref<16x16xbf16>
    %b1_0_l1_cons_1_buff_1_1_3 = aie.buffer(%tile_1_3) {address = 49664 : i32, mem_bank = 3 : i32, sym_name = "b1_0_l1_cons_1_buff_1_1_3"} : memref<16x16xbf16>
    %c0_0_l1_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "c0_0_l1_buff_0_0_2"} : memref<16x16xbf16>
    %c0_0_l1_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 17408 : i32, mem_bank = 1 : i32, sym_name = "c0_0_l1_buff_1_0_2"} : memref<16x16xbf16>
    %c0_1_l1_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "c0_1_l1_buff_0_0_3"} : memref<16x16xbf16>
    %c0_1_l1_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 17408 : i32, mem_bank = 1 : i32, sym_name = "c0_1_l1_buff_1_0_3"} : memref<16x16xbf16>
    %c1_0_l1_buff_0_1_2 = aie.buffer(%tile_1_2) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "c1_0_l1_buff_0_1_2"} : memref<16x16xbf16>
    %c1_0_l1_buff_1_1_2 = aie.buffer(%tile_1_2) {address = 17408 : i32, mem_bank = 1 : i32, sym_name = "c1_0_l1_buff_1_1_2"} : memref<16x16xbf16>
    %c1_1_l1_buff_0_1_3 = aie.buffer(%tile_1_3) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "c1_1_l1_buff_0_1_3"} : memref<16x16xbf16>
    %c1_1_l1_buff_1_1_3 = aie.buffer(%tile_1_3) {address = 17408 : i32, mem_bank = 1 : i32, sym_name = "c1_1_l1_buff_1_1_3"} : memref<16x16xbf16>
    %local0_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "local0_buff_0_0_2"} : memref<16x16xf32>
    %local0_buff_0_1_2 = aie.buffer(%tile_1_2) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "local0_buff_0_1_2"} : memref<16x16xf32>
    %local0_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "local0_buff_0_0_3"} : memref<16x16xf32>
    %local0_buff_0_1_3 = aie.buffer(%tile_1_3) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "local0_buff_0_1_3"} : memref<16x16xf32>
    %a0_0_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 0) {init = 2 : i32, sym_name = "a0_0_l1_prod_lock_0_0_1"}
    %a0_0_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 1) {init = 0 : i32, sym_name = "a0_0_l1_cons_lock_0_0_1"}
    %a1_0_l1_prod_lock_0_1_1 = aie.lock(%tile_1_1, 0) {init = 2 : i32, sym_name = "a1_0_l1_prod_lock_0_1_1"}
    %a1_0_l1_cons_lock_0_1_1 = aie.lock(%tile_1_1, 1) {init = 0 : i32, sym_name = "a1_0_l1_cons_lock_0_1_1"}
    %b0_0_l1_prod_lock_0_2_1 = aie.lock(%tile_2_1, 0) {init = 2 : i32, sym_name = "b0_0_l1_prod_lock_0_2_1"}
    %b0_0_l1_cons_lock_0_2_1 = aie.lock(%tile_2_1, 1) {init = 0 : i32, sym_name = "b0_0_l1_cons_lock_0_2_1"}
    %b1_0_l1_prod_lock_0_3_1 = aie.lock(%tile_3_1, 0) {init = 2 : i32, sym_name = "b1_0_l1_prod_lock_0_3_1"}
    %b1_0_l1_cons_lock_0_3_1 = aie.lock(%tile_3_1, 1) {init = 0 : i32, sym_name = "b1_0_l1_cons_lock_0_3_1"}
    %c0_0_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 2) {init = 2 : i32, sym_name = "c0_0_l1_prod_lock_0_0_1"}
    %c0_0_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 3) {init = 0 : i32, sym_name = "c0_0_l1_cons_lock_0_0_1"}
    %c0_1_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 4) {init = 2 : i32, sym_name = "c0_1_l1_prod_lock_0_0_1"}
    %c0_1_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 5) {init = 0 : i32, sym_name = "c0_1_l1_cons_lock_0_0_1"}
    %c1_0_l1_prod_lock_0_1_1 = aie.lock(%tile_1_1, 2) {init = 2 : i32, sym_name = "c1_0_l1_prod_lock_0_1_1"}
    %c1_0_l1_cons_lock_0_1_1 = aie.lock(%tile_1_1, 3) {init = 0 : i32, sym_name = "c1_0_l1_cons_lock_0_1_1"}
    %c1_1_l1_prod_lock_0_1_1 = aie.lock(%tile_1_1, 4) {init = 2 : i32, sym_name = "c1_1_l1_prod_lock_0_1_1"}
    %c1_1_l1_cons_lock_0_1_1 = aie.lock(%tile_1_1, 5) {init = 0 : i32, sym_name = "c1_1_l1_cons_lock_0_1_1"}
    %a0_0_l1_cons_0_prod_lock_0_0_2 = aie.lock(%tile_0_2, 0) {init = 2 : i32, sym_name = "a0_0_l1_cons_0_prod_lock_0_0_2"}
    %a0_0_l1_cons_0_cons_lock_0_0_2 = aie.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = "a0_0_l1_cons_0_cons_lock_0_0_2"}
    %a0_0_l1_cons_1_prod_lock_0_1_2 = aie.lock(%tile_1_2, 0) {init = 2 : i32, sym_name = "a0_0_l1_cons_1_prod_lock_0_1_2"}
    %a0_0_l1_cons_1_cons_lock_0_1_2 = aie.lock(%tile_1_2, 1) {init = 0 : i32, sym_name = "a0_0_l1_cons_1_cons_lock_0_1_2"}
    %a1_0_l1_cons_0_prod_lock_0_0_3 = aie.lock(%tile_0_3, 0) {init = 2 : i32, sym_name = "a1_0_l1_cons_0_prod_lock_0_0_3"}
    %a1_0_l1_cons_0_cons_lock_0_0_3 = aie.lock(%tile_0_3, 1) {init = 0 : i32, sym_name = "a1_0_l1_cons_0_cons_lock_0_0_3"}
    %a1_0_l1_cons_1_prod_lock_0_1_3 = aie.lock(%tile_1_3, 0) {init = 2 : i32, sym_name = "a1_0_l1_cons_1_prod_lock_0_1_3"}
    %a1_0_l1_cons_1_cons_lock_0_1_3 = aie.lock(%tile_1_3, 1) {init = 0 : i32, sym_name = "a1_0_l1_cons_1_cons_lock_0_1_3"}
    %b0_0_l1_cons_0_prod_lock_0_0_2 = aie.lock(%tile_0_2, 2) {init = 2 : i32, sym_name = "b0_0_l1_cons_0_prod_lock_0_0_2"}
    %b0_0_l1_cons_0_cons_lock_0_0_2 = aie.lock(%tile_0_2, 3) {init = 0 : i32, sym_name = "b0_0_l1_cons_0_cons_lock_0_0_2"}
    %b0_0_l1_cons_1_prod_lock_0_0_3 = aie.lock(%tile_0_3, 2) {init = 2 : i32, sym_name = "b0_0_l1_cons_1_prod_lock_0_0_3"}
    %b0_0_l1_cons_1_cons_lock_0_0_3 = aie.lock(%tile_0_3, 3) {init = 0 : i32, sym_name = "b0_0_l1_cons_1_cons_lock_0_0_3"}
    %b1_0_l1_cons_0_prod_lock_0_1_2 = aie.lock(%tile_1_2, 2) {init = 2 : i32, sym_name = "b1_0_l1_cons_0_prod_lock_0_1_2"}
    %b1_0_l1_cons_0_cons_lock_0_1_2 = aie.lock(%tile_1_2, 3) {init = 0 : i32, sym_name = "b1_0_l1_cons_0_cons_lock_0_1_2"}
    %b1_0_l1_cons_1_prod_lock_0_1_3 = aie.lock(%tile_1_3, 2) {init = 2 : i32, sym_name = "b1_0_l1_cons_1_prod_lock_0_1_3"}
    %b1_0_l1_cons_1_cons_lock_0_1_3 = aie.lock(%tile_1_3, 3) {init = 0 : i32, sym_name = "b1_0_l1_cons_1_cons_lock_0_1_3"}
    %c0_0_l1_prod_lock_0_0_2 = aie.lock(%tile_0_2, 4) {init = 2 : i32, sym_name = "c0_0_l1_prod_lock_0_0_2"}
    %c0_0_l1_cons_lock_0_0_2 = aie.lock(%tile_0_2, 5) {init = 0 : i32, sym_name = "c0_0_l1_cons_lock_0_0_2"}
    %c0_1_l1_prod_lock_0_0_3 = aie.lock(%tile_0_3, 4) {init = 2 : i32, sym_name = "c0_1_l1_prod_lock_0_0_3"}
    %c0_1_l1_cons_lock_0_0_3 = aie.lock(%tile_0_3, 5) {init = 0 : i32, sym_name = "c0_1_l1_cons_lock_0_0_3"}
    %c1_0_l1_prod_lock_0_1_2 = aie.lock(%tile_1_2, 4) {init = 2 : i32, sym_name = "c1_0_l1_prod_lock_0_1_2"}
    %c1_0_l1_cons_lock_0_1_2 = aie.lock(%tile_1_2, 5) {init = 0 : i32, sym_name = "c1_0_l1_cons_lock_0_1_2"}
    %c1_1_l1_prod_lock_0_1_3 = aie.lock(%tile_1_3, 4) {init = 2 : i32, sym_name = "c1_1_l1_prod_lock_0_1_3"}
    %c1_1_l1_cons_lock_0_1_3 = aie.lock(%tile_1_3, 5) {init = 0 : i32, sym_name = "c1_1_l1_cons_lock_0_1_3"}
    aie.flow(%tile_0_0, DMA : 0, %tile_0_1, DMA : 0)
    aie.flow(%tile_0_1, DMA : 0, %tile_0_2, DMA : 0)
    aie.flow(%tile_0_1, DMA : 0, %tile_1_2, DMA : 0)
    aie.flow(%tile_1_0, DMA : 0, %tile_1_1, DMA : 0)
    aie.flow(%tile_1_1, DMA : 0, %tile_0_3, DMA : 0)
    aie.flow(%tile_1_1, DMA : 0, %tile_1_3, DMA : 0)
    aie.flow(%tile_2_0, DMA : 0, %tile_2_1, DMA : 0)
    aie.flow(%tile_2_1, DMA : 0, %tile_0_2, DMA : 1)
    aie.flow(%tile_2_1, DMA : 0, %tile_0_3, DMA : 1)
    aie.flow(%tile_3_0, DMA : 0, %tile_3_1, DMA : 0)
    aie.flow(%tile_3_1, DMA : 0, %tile_1_2, DMA : 1)
    aie.flow(%tile_3_1, DMA : 0, %tile_1_3, DMA : 1)
    aie.flow(%tile_0_2, DMA : 0, %tile_0_1, DMA : 1)
    aie.flow(%tile_0_3, DMA : 0, %tile_0_1, DMA : 2)
    aie.flow(%tile_0_1, DMA : 1, %tile_0_0, DMA : 0)
    aie.flow(%tile_1_2, DMA : 0, %tile_1_1, DMA : 1)
    aie.flow(%tile_1_3, DMA : 0, %tile_1_1, DMA : 2)
    aie.flow(%tile_1_1, DMA : 1, %tile_1_0, DMA : 0)
    aie.memtile_dma(%tile_0_1) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value0 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value0)
      aie.dma_bd(%a0_0_l2_buff_0_0_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [16, 2, 16] strides = [16, 256, 1]) {bd_id = 2 : i32}
      %value1 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, Release, %value1)
      aie.next_bd ^bb2
    ^bb2:
      %value2 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value2)
      aie.dma_bd(%a0_0_l2_buff_1_0_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [16, 2, 16] strides = [16, 256, 1]) {bd_id = 3 : i32}
      %value3 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, Release, %value3)
      aie.next_bd ^bb1
    ^bb3:
      %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
    ^bb4:
      %value4 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value4)
      aie.dma_bd(%a0_0_l2_buff_0_0_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [8, 2, 4, 8] strides = [64, 8, 16, 1]) {bd_id = 0 : i32}
      %value5 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, Release, %value5)
      aie.next_bd ^bb5
    ^bb5:
      %value6 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value6)
      aie.dma_bd(%a0_0_l2_buff_1_0_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [8, 2, 4, 8] strides = [64, 8, 16, 1]) {bd_id = 1 : i32}
      %value7 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, Release, %value7)
      aie.next_bd ^bb4
    ^bb6:
      %2 = aie.dma_start(MM2S, 1, ^bb7, ^bb11)
    ^bb7:
      %value8 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value8)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16> offset = 0 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 26 : i32}
      %value9 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, Release, %value9)
      aie.next_bd ^bb8
    ^bb8:
      %value10 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value10)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16> offset = 256 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 27 : i32}
      %value11 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, Release, %value11)
      aie.next_bd ^bb9
    ^bb9:
      %value12 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value12)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16> offset = 0 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 28 : i32}
      %value13 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, Release, %value13)
      aie.next_bd ^bb10
    ^bb10:
      %value14 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value14)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16> offset = 256 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 29 : i32}
      %value15 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, Release, %value15)
      aie.next_bd ^bb7
    ^bb11:
      %3 = aie.dma_start(S2MM, 1, ^bb12, ^bb14)
    ^bb12:
      %value16 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value16)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16> offset = 0 len = 256) {bd_id = 24 : i32}
      %value17 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, Release, %value17)
      aie.next_bd ^bb13
    ^bb13:
      %value18 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value18)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16> offset = 0 len = 256) {bd_id = 25 : i32}
      %value19 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, Release, %value19)
      aie.next_bd ^bb12
    ^bb14:
      %4 = aie.dma_start(S2MM, 2, ^bb15, ^end)
    ^bb15:
      %value20 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value20)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16> offset = 256 len = 256) {bd_id = 4 : i32}
      %value21 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, Release, %value21)
      aie.next_bd ^bb16
    ^bb16:
      %value22 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value22)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16> offset = 256 len = 256) {bd_id = 5 : i32}
      %value23 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, Release, %value23)
      aie.next_bd ^bb15
    ^end:
      aie.end
    }
    aie.memtile_dma(%tile_1_1) {
      %5 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value24 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, %value24)
      aie.dma_bd(%a1_0_l2_buff_0_1_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [16, 2, 16] strides = [16, 256, 1]) {bd_id = 2 : i32}
      %value25 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, Release, %value25)
      aie.next_bd ^bb2
    ^bb2:
      %value26 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, %value26)
      aie.dma_bd(%a1_0_l2_buff_1_1_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [16, 2, 16] strides = [16, 256, 1]) {bd_id = 3 : i32}
      %value27 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, Release, %value27)
      aie.next_bd ^bb1
    ^bb3:
      %6 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
    ^bb4:
      %value28 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value28)
      aie.dma_bd(%a1_0_l2_buff_0_1_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [8, 2, 4, 8] strides = [64, 8, 16, 1]) {bd_id = 0 : i32}
      %value29 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, Release, %value29)
      aie.next_bd ^bb5
    ^bb5:
      %value30 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value30)
      aie.dma_bd(%a1_0_l2_buff_1_1_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [8, 2, 4, 8] strides = [64, 8, 16, 1]) {bd_id = 1 : i32}
      %value31 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, Release, %value31)
      aie.next_bd ^bb4
    ^bb6:
      %7 = aie.dma_start(MM2S, 1, ^bb7, ^bb11)
    ^bb7:
      %value32 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value32)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16> offset = 0 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 26 : i32}
      %value33 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, Release, %value33)
      aie.next_bd ^bb8
    ^bb8:
      %value34 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value34)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16> offset = 256 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 27 : i32}
      %value35 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, Release, %value35)
      aie.next_bd ^bb9
    ^bb9:
      %value36 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value36)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16> offset = 0 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 28 : i32}
      %value37 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, Release, %value37)
      aie.next_bd ^bb10
    ^bb10:
      %value38 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value38)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16> offset = 256 len = 256 sizes = [4, 4, 4, 4] strides = [64, 4, 16, 1]) {bd_id = 29 : i32}
      %value39 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, Release, %value39)
      aie.next_bd ^bb7
    ^bb11:
      %8 = aie.dma_start(S2MM, 1, ^bb12, ^bb14)
    ^bb12:
      %value40 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, %value40)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16> offset = 0 len = 256) {bd_id = 24 : i32}
      %value41 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, Release, %value41)
      aie.next_bd ^bb13
    ^bb13:
      %value42 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, %value42)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16> offset = 0 len = 256) {bd_id = 25 : i32}
      %value43 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, Release, %value43)
      aie.next_bd ^bb12
    ^bb14:
      %9 = aie.dma_start(S2MM, 2, ^bb15, ^end)
    ^bb15:
      %value44 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, AcquireGreaterEqual, %value44)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16> offset = 256 len = 256) {bd_id = 4 : i32}
      %value45 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, Release, %value45)
      aie.next_bd ^bb16
    ^bb16:
      %value46 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, AcquireGreaterEqual, %value46)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16> offset = 256 len = 256) {bd_id = 5 : i32}
      %value47 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, Release, %value47)
      aie.next_bd ^bb15
    ^end:
      aie.end
    }
    aie.memtile_dma(%tile_2_1) {
      %10 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value48 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, AcquireGreaterEqual, %value48)
      aie.dma_bd(%b0_0_l2_buff_0_2_1 : memref<2x16x16xbf16> offset = 0 len = 512) {bd_id = 2 : i32}
      %value49 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, Release, %value49)
      aie.next_bd ^bb2
    ^bb2:
      %value50 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, AcquireGreaterEqual, %value50)
      aie.dma_bd(%b0_0_l2_buff_1_2_1 : memref<2x16x16xbf16> offset = 0 len = 512) {bd_id = 3 : i32}
      %value51 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, Release, %value51)
      aie.next_bd ^bb1
    ^bb3:
      %11 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      %value52 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, AcquireGreaterEqual, %value52)
      aie.dma_bd(%b0_0_l2_buff_0_2_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [4, 4, 8, 4] strides = [128, 4, 16, 1]) {bd_id = 0 : i32}
      %value53 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, Release, %value53)
      aie.next_bd ^bb5
    ^bb5:
      %value54 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, AcquireGreaterEqual, %value54)
      aie.dma_bd(%b0_0_l2_buff_1_2_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [4, 4, 8, 4] strides = [128, 4, 16, 1]) {bd_id = 1 : i32}
      %value55 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, Release, %value55)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.memtile_dma(%tile_3_1) {
      %12 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value56 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, AcquireGreaterEqual, %value56)
      aie.dma_bd(%b1_0_l2_buff_0_3_1 : memref<2x16x16xbf16> offset = 0 len = 512) {bd_id = 2 : i32}
      %value57 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, Release, %value57)
      aie.next_bd ^bb2
    ^bb2:
      %value58 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, AcquireGreaterEqual, %value58)
      aie.dma_bd(%b1_0_l2_buff_1_3_1 : memref<2x16x16xbf16> offset = 0 len = 512) {bd_id = 3 : i32}
      %value59 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, Release, %value59)
      aie.next_bd ^bb1
    ^bb3:
      %13 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      %value60 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, AcquireGreaterEqual, %value60)
      aie.dma_bd(%b1_0_l2_buff_0_3_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [4, 4, 8, 4] strides = [128, 4, 16, 1]) {bd_id = 0 : i32}
      %value61 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, Release, %value61)
      aie.next_bd ^bb5
    ^bb5:
      %value62 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, AcquireGreaterEqual, %value62)
      aie.dma_bd(%b1_0_l2_buff_1_3_1 : memref<2x16x16xbf16> offset = 0 len = 512 sizes = [4, 4, 8, 4] strides = [128, 4, 16, 1]) {bd_id = 1 : i32}
      %value63 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, Release, %value63)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.mem(%tile_0_2) {
      %14 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value64 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value64)
      aie.dma_bd(%a0_0_l1_cons_0_buff_0_0_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 0 : i32}
      %value65 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, Release, %value65)
      aie.next_bd ^bb2
    ^bb2:
      %value66 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value66)
      aie.dma_bd(%a0_0_l1_cons_0_buff_1_0_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 1 : i32}
      %value67 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, Release, %value67)
      aie.next_bd ^bb1
    ^bb3:
      %15 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      %value68 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value68)
      aie.dma_bd(%b0_0_l1_cons_0_buff_0_0_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 2 : i32}
      %value69 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, Release, %value69)
      aie.next_bd ^bb5
    ^bb5:
      %value70 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value70)
      aie.dma_bd(%b0_0_l1_cons_0_buff_1_0_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 3 : i32}
      %value71 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, Release, %value71)
      aie.next_bd ^bb4
    ^bb6:
      %16 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      %value72 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, %value72)
      aie.dma_bd(%c0_0_l1_buff_0_0_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 4 : i32}
      %value73 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_2, Release, %value73)
      aie.next_bd ^bb8
    ^bb8:
      %value74 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, %value74)
      aie.dma_bd(%c0_0_l1_buff_1_0_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 5 : i32}
      %value75 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_2, Release, %value75)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.mem(%tile_1_2) {
      %17 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value76 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_1_prod_lock_0_1_2, AcquireGreaterEqual, %value76)
      aie.dma_bd(%a0_0_l1_cons_1_buff_0_1_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 0 : i32}
      %value77 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_1_cons_lock_0_1_2, Release, %value77)
      aie.next_bd ^bb2
    ^bb2:
      %value78 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_1_prod_lock_0_1_2, AcquireGreaterEqual, %value78)
      aie.dma_bd(%a0_0_l1_cons_1_buff_1_1_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 1 : i32}
      %value79 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_1_cons_lock_0_1_2, Release, %value79)
      aie.next_bd ^bb1
    ^bb3:
      %18 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      %value80 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_0_prod_lock_0_1_2, AcquireGreaterEqual, %value80)
      aie.dma_bd(%b1_0_l1_cons_0_buff_0_1_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 2 : i32}
      %value81 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_0_cons_lock_0_1_2, Release, %value81)
      aie.next_bd ^bb5
    ^bb5:
      %value82 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_0_prod_lock_0_1_2, AcquireGreaterEqual, %value82)
      aie.dma_bd(%b1_0_l1_cons_0_buff_1_1_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 3 : i32}
      %value83 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_0_cons_lock_0_1_2, Release, %value83)
      aie.next_bd ^bb4
    ^bb6:
      %19 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      %value84 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_cons_lock_0_1_2, AcquireGreaterEqual, %value84)
      aie.dma_bd(%c1_0_l1_buff_0_1_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 4 : i32}
      %value85 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_prod_lock_0_1_2, Release, %value85)
      aie.next_bd ^bb8
    ^bb8:
      %value86 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_cons_lock_0_1_2, AcquireGreaterEqual, %value86)
      aie.dma_bd(%c1_0_l1_buff_1_1_2 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 5 : i32}
      %value87 = arith.constant 1 : i32
      aie.use_lock(%c1_0_l1_prod_lock_0_1_2, Release, %value87)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.mem(%tile_0_3) {
      %20 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value88 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, %value88)
      aie.dma_bd(%a1_0_l1_cons_0_buff_0_0_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 0 : i32}
      %value89 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, Release, %value89)
      aie.next_bd ^bb2
    ^bb2:
      %value90 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, %value90)
      aie.dma_bd(%a1_0_l1_cons_0_buff_1_0_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 1 : i32}
      %value91 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, Release, %value91)
      aie.next_bd ^bb1
    ^bb3:
      %21 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      %value92 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, AcquireGreaterEqual, %value92)
      aie.dma_bd(%b0_0_l1_cons_1_buff_0_0_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 2 : i32}
      %value93 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, Release, %value93)
      aie.next_bd ^bb5
    ^bb5:
      %value94 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, AcquireGreaterEqual, %value94)
      aie.dma_bd(%b0_0_l1_cons_1_buff_1_0_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 3 : i32}
      %value95 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, Release, %value95)
      aie.next_bd ^bb4
    ^bb6:
      %22 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      %value96 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, %value96)
      aie.dma_bd(%c0_1_l1_buff_0_0_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 4 : i32}
      %value97 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_3, Release, %value97)
      aie.next_bd ^bb8
    ^bb8:
      %value98 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, %value98)
      aie.dma_bd(%c0_1_l1_buff_1_0_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 5 : i32}
      %value99 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_3, Release, %value99)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.mem(%tile_1_3) {
      %23 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value100 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, %value100)
      aie.dma_bd(%a1_0_l1_cons_1_buff_0_1_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 0 : i32}
      %value101 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_1_cons_lock_0_1_3, Release, %value101)
      aie.next_bd ^bb2
    ^bb2:
      %value102 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, %value102)
      aie.dma_bd(%a1_0_l1_cons_1_buff_1_1_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 1 : i32}
      %value103 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_1_cons_lock_0_1_3, Release, %value103)
      aie.next_bd ^bb1
    ^bb3:
      %24 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      %value104 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, %value104)
      aie.dma_bd(%b1_0_l1_cons_1_buff_0_1_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 2 : i32}
      %value105 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_1_cons_lock_0_1_3, Release, %value105)
      aie.next_bd ^bb5
    ^bb5:
      %value106 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, %value106)
      aie.dma_bd(%b1_0_l1_cons_1_buff_1_1_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 3 : i32}
      %value107 = arith.constant 1 : i32
      aie.use_lock(%b1_0_l1_cons_1_cons_lock_0_1_3, Release, %value107)
      aie.next_bd ^bb4
    ^bb6:
      %25 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      %value108 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_cons_lock_0_1_3, AcquireGreaterEqual, %value108)
      aie.dma_bd(%c1_1_l1_buff_0_1_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 4 : i32}
      %value109 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_prod_lock_0_1_3, Release, %value109)
      aie.next_bd ^bb8
    ^bb8:
      %value110 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_cons_lock_0_1_3, AcquireGreaterEqual, %value110)
      aie.dma_bd(%c1_1_l1_buff_1_1_3 : memref<16x16xbf16> offset = 0 len = 256) {bd_id = 5 : i32}
      %value111 = arith.constant 1 : i32
      aie.use_lock(%c1_1_l1_prod_lock_0_1_3, Release, %value111)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @a0_0_l2(%tile_0_0, MM2S, 0)
    aie.shim_dma_allocation @a1_0_l2(%tile_1_0, MM2S, 0)
    aie.shim_dma_allocation @b0_0_l2(%tile_2_0, MM2S, 0)
    aie.shim_dma_allocation @b1_0_l2(%tile_3_0, MM2S, 0)
    aie.shim_dma_allocation @c0_l2(%tile_0_0, S2MM, 0)
    aie.shim_dma_allocation @c1_l2(%tile_1_0, S2MM, 0)
    func.func private @finish_16x16f32_16x16bf16(memref<16x16xf32>, memref<16x16xbf16>)
    func.func private @matmul_16x16bf16_16x16bf16_16x16f32(memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>)
    func.func private @zero_16x16f32(memref<16x16xf32>)
    aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a0_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %a0_0_l1_slot[%c0] : memref<1xindex>
      %b0_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %b0_0_l1_slot[%c0] : memref<1xindex>
      %c0_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %c0_0_l1_slot[%c0] : memref<1xindex>
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %value112 = arith.constant 1 : i32
        aie.use_lock(%c0_0_l1_prod_lock_0_0_2, AcquireGreaterEqual, %value112)
        func.call @zero_16x16f32(%local0_buff_0_0_2) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          %value113 = arith.constant 1 : i32
          aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, %value113)
          %value114 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, %value114)
          %2 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %3 = scf.index_switch %2 -> memref<16x16xbf16>
          case 1 {
            scf.yield %a0_0_l1_cons_0_buff_1_0_2 : memref<16x16xbf16>
          }
          default {
            scf.yield %a0_0_l1_cons_0_buff_0_0_2 : memref<16x16xbf16>
          }
          %4 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %5 = scf.index_switch %4 -> memref<16x16xbf16>
          case 1 {
            scf.yield %b0_0_l1_cons_0_buff_1_0_2 : memref<16x16xbf16>
          }
          default {
            scf.yield %b0_0_l1_cons_0_buff_0_0_2 : memref<16x16xbf16>
          }
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %5, %local0_buff_0_0_2) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          %value115 = arith.constant 1 : i32
          aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, Release, %value115)
          %6 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a0_0_l1_slot[%c0] : memref<1xindex>
          %value116 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, Release, %value116)
          %11 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %12 = arith.constant 1 : index
          %13 = arith.addi %11, %12 : index
          %14 = arith.constant 2 : index
          %15 = arith.remui %13, %14 : index
          memref.store %15, %b0_0_l1_slot[%c0] : memref<1xindex>
        }
        %16 = memref.load %c0_0_l1_slot[%c0] : memref<1xindex>
        %17 = scf.index_switch %16 -> memref<16x16xbf16>
        case 1 {
          scf.yield %c0_0_l1_buff_1_0_2 : memref<16x16xbf16>
        }
        default {
          scf.yield %c0_0_l1_buff_0_0_2 : memref<16x16xbf16>
        }
        func.call @finish_16x16f32_16x16bf16(%local0_buff_0_0_2, %17) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        %value117 = arith.constant 1 : i32
        aie.use_lock(%c0_0_l1_cons_lock_0_0_2, Release, %value117)
        %18 = memref.load %c0_0_l1_slot[%c0] : memref<1xindex>
        %19 = arith.constant 1 : index
        %20 = arith.addi %18, %19 : index
        %21 = arith.constant 2 : index
        %22 = arith.remui %20, %21 : index
        memref.store %22, %c0_0_l1_slot[%c0] : memref<1xindex>
      }
      aie.end
    }
    aie.core(%tile_1_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a0_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %a0_0_l1_slot[%c0] : memref<1xindex>
      %b1_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %b1_0_l1_slot[%c0] : memref<1xindex>
      %c1_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %c1_0_l1_slot[%c0] : memref<1xindex>
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %value118 = arith.constant 1 : i32
        aie.use_lock(%c1_0_l1_prod_lock_0_1_2, AcquireGreaterEqual, %value118)
        func.call @zero_16x16f32(%local0_buff_0_1_2) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          %value119 = arith.constant 1 : i32
          aie.use_lock(%a0_0_l1_cons_1_cons_lock_0_1_2, AcquireGreaterEqual, %value119)
          %value120 = arith.constant 1 : i32
          aie.use_lock(%b1_0_l1_cons_0_cons_lock_0_1_2, AcquireGreaterEqual, %value120)
          %2 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %3 = scf.index_switch %2 -> memref<16x16xbf16>
          case 1 {
            scf.yield %a0_0_l1_cons_1_buff_1_1_2 : memref<16x16xbf16>
          }
          default {
            scf.yield %a0_0_l1_cons_1_buff_0_1_2 : memref<16x16xbf16>
          }
          %4 = memref.load %b1_0_l1_slot[%c0] : memref<1xindex>
          %5 = scf.index_switch %4 -> memref<16x16xbf16>
          case 1 {
            scf.yield %b1_0_l1_cons_0_buff_1_1_2 : memref<16x16xbf16>
          }
          default {
            scf.yield %b1_0_l1_cons_0_buff_0_1_2 : memref<16x16xbf16>
          }
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %5, %local0_buff_0_1_2) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          %value121 = arith.constant 1 : i32
          aie.use_lock(%a0_0_l1_cons_1_prod_lock_0_1_2, Release, %value121)
          %6 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a0_0_l1_slot[%c0] : memref<1xindex>
          %value122 = arith.constant 1 : i32
          aie.use_lock(%b1_0_l1_cons_0_prod_lock_0_1_2, Release, %value122)
          %11 = memref.load %b1_0_l1_slot[%c0] : memref<1xindex>
          %12 = arith.constant 1 : index
          %13 = arith.addi %11, %12 : index
          %14 = arith.constant 2 : index
          %15 = arith.remui %13, %14 : index
          memref.store %15, %b1_0_l1_slot[%c0] : memref<1xindex>
        }
        %16 = memref.load %c1_0_l1_slot[%c0] : memref<1xindex>
        %17 = scf.index_switch %16 -> memref<16x16xbf16>
        case 1 {
          scf.yield %c1_0_l1_buff_1_1_2 : memref<16x16xbf16>
        }
        default {
          scf.yield %c1_0_l1_buff_0_1_2 : memref<16x16xbf16>
        }
        func.call @finish_16x16f32_16x16bf16(%local0_buff_0_1_2, %17) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        %value123 = arith.constant 1 : i32
        aie.use_lock(%c1_0_l1_cons_lock_0_1_2, Release, %value123)
        %18 = memref.load %c1_0_l1_slot[%c0] : memref<1xindex>
        %19 = arith.constant 1 : index
        %20 = arith.addi %18, %19 : index
        %21 = arith.constant 2 : index
        %22 = arith.remui %20, %21 : index
        memref.store %22, %c1_0_l1_slot[%c0] : memref<1xindex>
      }
      aie.end
    }
    aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a1_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %a1_0_l1_slot[%c0] : memref<1xindex>
      %b0_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %b0_0_l1_slot[%c0] : memref<1xindex>
      %c0_1_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %c0_1_l1_slot[%c0] : memref<1xindex>
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %value124 = arith.constant 1 : i32
        aie.use_lock(%c0_1_l1_prod_lock_0_0_3, AcquireGreaterEqual, %value124)
        func.call @zero_16x16f32(%local0_buff_0_0_3) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          %value125 = arith.constant 1 : i32
          aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, AcquireGreaterEqual, %value125)
          %value126 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, AcquireGreaterEqual, %value126)
          %2 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %3 = scf.index_switch %2 -> memref<16x16xbf16>
          case 1 {
            scf.yield %a1_0_l1_cons_0_buff_1_0_3 : memref<16x16xbf16>
          }
          default {
            scf.yield %a1_0_l1_cons_0_buff_0_0_3 : memref<16x16xbf16>
          }
          %4 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %5 = scf.index_switch %4 -> memref<16x16xbf16>
          case 1 {
            scf.yield %b0_0_l1_cons_1_buff_1_0_3 : memref<16x16xbf16>
          }
          default {
            scf.yield %b0_0_l1_cons_1_buff_0_0_3 : memref<16x16xbf16>
          }
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %5, %local0_buff_0_0_3) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          %value127 = arith.constant 1 : i32
          aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, Release, %value127)
          %6 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a1_0_l1_slot[%c0] : memref<1xindex>
          %value128 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, Release, %value128)
          %11 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %12 = arith.constant 1 : index
          %13 = arith.addi %11, %12 : index
          %14 = arith.constant 2 : index
          %15 = arith.remui %13, %14 : index
          memref.store %15, %b0_0_l1_slot[%c0] : memref<1xindex>
        }
        %16 = memref.load %c0_1_l1_slot[%c0] : memref<1xindex>
        %17 = scf.index_switch %16 -> memref<16x16xbf16>
        case 1 {
          scf.yield %c0_1_l1_buff_1_0_3 : memref<16x16xbf16>
        }
        default {
          scf.yield %c0_1_l1_buff_0_0_3 : memref<16x16xbf16>
        }
        func.call @finish_16x16f32_16x16bf16(%local0_buff_0_0_3, %17) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        %value129 = arith.constant 1 : i32
        aie.use_lock(%c0_1_l1_cons_lock_0_0_3, Release, %value129)
        %18 = memref.load %c0_1_l1_slot[%c0] : memref<1xindex>
        %19 = arith.constant 1 : index
        %20 = arith.addi %18, %19 : index
        %21 = arith.constant 2 : index
        %22 = arith.remui %20, %21 : index
        memref.store %22, %c0_1_l1_slot[%c0] : memref<1xindex>
      }
      aie.end
    }
    aie.core(%tile_1_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %a1_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %a1_0_l1_slot[%c0] : memref<1xindex>
      %b1_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %b1_0_l1_slot[%c0] : memref<1xindex>
      %c1_1_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %c1_1_l1_slot[%c0] : memref<1xindex>
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %value130 = arith.constant 1 : i32
        aie.use_lock(%c1_1_l1_prod_lock_0_1_3, AcquireGreaterEqual, %value130)
        func.call @zero_16x16f32(%local0_buff_0_1_3) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          %value131 = arith.constant 1 : i32
          aie.use_lock(%a1_0_l1_cons_1_cons_lock_0_1_3, AcquireGreaterEqual, %value131)
          %value132 = arith.constant 1 : i32
          aie.use_lock(%b1_0_l1_cons_1_cons_lock_0_1_3, AcquireGreaterEqual, %value132)
          %2 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %3 = scf.index_switch %2 -> memref<16x16xbf16>
          case 1 {
            scf.yield %a1_0_l1_cons_1_buff_1_1_3 : memref<16x16xbf16>
          }
          default {
            scf.yield %a1_0_l1_cons_1_buff_0_1_3 : memref<16x16xbf16>
          }
          %4 = memref.load %b1_0_l1_slot[%c0] : memref<1xindex>
          %5 = scf.index_switch %4 -> memref<16x16xbf16>
          case 1 {
            scf.yield %b1_0_l1_cons_1_buff_1_1_3 : memref<16x16xbf16>
          }
          default {
            scf.yield %b1_0_l1_cons_1_buff_0_1_3 : memref<16x16xbf16>
          }
          func.call @matmul_16x16bf16_16x16bf16_16x16f32(%3, %5, %local0_buff_0_1_3) : (memref<16x16xbf16>, memref<16x16xbf16>, memref<16x16xf32>) -> () // 996 cycles
          %value133 = arith.constant 1 : i32
          aie.use_lock(%a1_0_l1_cons_1_prod_lock_0_1_3, Release, %value133)
          %6 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a1_0_l1_slot[%c0] : memref<1xindex>
          %value134 = arith.constant 1 : i32
          aie.use_lock(%b1_0_l1_cons_1_prod_lock_0_1_3, Release, %value134)
          %11 = memref.load %b1_0_l1_slot[%c0] : memref<1xindex>
          %12 = arith.constant 1 : index
          %13 = arith.addi %11, %12 : index
          %14 = arith.constant 2 : index
          %15 = arith.remui %13, %14 : index
          memref.store %15, %b1_0_l1_slot[%c0] : memref<1xindex>
        }
        %16 = memref.load %c1_1_l1_slot[%c0] : memref<1xindex>
        %17 = scf.index_switch %16 -> memref<16x16xbf16>
        case 1 {
          scf.yield %c1_1_l1_buff_1_1_3 : memref<16x16xbf16>
        }
        default {
          scf.yield %c1_1_l1_buff_0_1_3 : memref<16x16xbf16>
        }
        func.call @finish_16x16f32_16x16bf16(%local0_buff_0_1_3, %17) : (memref<16x16xf32>, memref<16x16xbf16>) -> () // 0 cycles
        %value135 = arith.constant 1 : i32
        aie.use_lock(%c1_1_l1_cons_lock_0_1_3, Release, %value135)
        %18 = memref.load %c1_1_l1_slot[%c0] : memref<1xindex>
        %19 = arith.constant 1 : index
        %20 = arith.addi %18, %19 : index
        %21 = arith.constant 2 : index
        %22 = arith.remui %20, %21 : index
        memref.store %22, %c1_1_l1_slot[%c0] : memref<1xindex>
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
