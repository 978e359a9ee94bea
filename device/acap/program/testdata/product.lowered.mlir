// product on npu1, lowered level, in the shape of mlir-aie 1.4
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
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l2_buff_0_0_1 : memref<2x16x16xbf16>, 0, 512, [<size = 16, stride = 16>, <size = 2, stride = 256>, <size = 16, stride = 1>]) {bd_id = 2 : i32}
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l2_buff_1_0_1 : memref<2x16x16xbf16>, 0, 512, [<size = 16, stride = 16>, <size = 2, stride = 256>, <size = 16, stride = 1>]) {bd_id = 3 : i32}
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l2_buff_0_0_1 : memref<2x16x16xbf16>, 0, 512, [<size = 8, stride = 64>, <size = 2, stride = 8>, <size = 4, stride = 16>, <size = 8, stride = 1>]) {bd_id = 0 : i32}
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l2_buff_1_0_1 : memref<2x16x16xbf16>, 0, 512, [<size = 8, stride = 64>, <size = 2, stride = 8>, <size = 4, stride = 16>, <size = 8, stride = 1>]) {bd_id = 1 : i32}
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      %2 = aie.dma_start(MM2S, 1, ^bb7, ^bb11)
    ^bb7:
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16>, 0, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 26 : i32}
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, Release, 1)
      aie.next_bd ^bb8
    ^bb8:
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16>, 256, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 27 : i32}
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, Release, 1)
      aie.next_bd ^bb9
    ^bb9:
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16>, 0, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 28 : i32}
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, Release, 1)
      aie.next_bd ^bb10
    ^bb10:
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16>, 256, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 29 : i32}
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, Release, 1)
      aie.next_bd ^bb7
    ^bb11:
      %3 = aie.dma_start(S2MM, 1, ^bb12, ^bb14)
    ^bb12:
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16>, 0, 256) {bd_id = 24 : i32}
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, Release, 1)
      aie.next_bd ^bb13
    ^bb13:
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16>, 0, 256) {bd_id = 25 : i32}
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, Release, 1)
      aie.next_bd ^bb12
    ^bb14:
      %4 = aie.dma_start(S2MM, 2, ^bb15, ^end)
    ^bb15:
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x16x16xbf16>, 256, 256) {bd_id = 4 : i32}
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, Release, 1)
      aie.next_bd ^bb16
    ^bb16:
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x16x16xbf16>, 256, 256) {bd_id = 5 : i32}
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, Release, 1)
      aie.next_bd ^bb15
    ^end:
      aie.end
    }
    aie.memtile_dma(%tile_1_1) {
      %5 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l2_buff_0_1_1 : memref<2x16x16xbf16>, 0, 512, [<size = 16, stride = 16>, <size = 2, stride = 256>, <size = 16, stride = 1>]) {bd_id = 2 : i32}
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l2_buff_1_1_1 : memref<2x16x16xbf16>, 0, 512, [<size = 16, stride = 16>, <size = 2, stride = 256>, <size = 16, stride = 1>]) {bd_id = 3 : i32}
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %6 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l2_buff_0_1_1 : memref<2x16x16xbf16>, 0, 512, [<size = 8, stride = 64>, <size = 2, stride = 8>, <size = 4, stride = 16>, <size = 8, stride = 1>]) {bd_id = 0 : i32}
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l2_buff_1_1_1 : memref<2x16x16xbf16>, 0, 512, [<size = 8, stride = 64>, <size = 2, stride = 8>, <size = 4, stride = 16>, <size = 8, stride = 1>]) {bd_id = 1 : i32}
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      %7 = aie.dma_start(MM2S, 1, ^bb7, ^bb11)
    ^bb7:
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16>, 0, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 26 : i32}
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, Release, 1)
      aie.next_bd ^bb8
    ^bb8:
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16>, 256, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 27 : i32}
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, Release, 1)
      aie.next_bd ^bb9
    ^bb9:
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16>, 0, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 28 : i32}
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, Release, 1)
      aie.next_bd ^bb10
    ^bb10:
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16>, 256, 256, [<size = 4, stride = 64>, <size = 4, stride = 4>, <size = 4, stride = 16>, <size = 4, stride = 1>]) {bd_id = 29 : i32}
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, Release, 1)
      aie.next_bd ^bb7
    ^bb11:
      %8 = aie.dma_start(S2MM, 1, ^bb12, ^bb14)
    ^bb12:
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16>, 0, 256) {bd_id = 24 : i32}
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, Release, 1)
      aie.next_bd ^bb13
    ^bb13:
      aie.use_lock(%c1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16>, 0, 256) {bd_id = 25 : i32}
      aie.use_lock(%c1_0_l1_cons_lock_0_1_1, Release, 1)
      aie.next_bd ^bb12
    ^bb14:
      %9 = aie.dma_start(S2MM, 2, ^bb15, ^end)
    ^bb15:
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_0_1_1 : memref<2x16x16xbf16>, 256, 256) {bd_id = 4 : i32}
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, Release, 1)
      aie.next_bd ^bb16
    ^bb16:
      aie.use_lock(%c1_1_l1_prod_lock_0_1_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_l2_buff_1_1_1 : memref<2x16x16xbf16>, 256, 256) {bd_id = 5 : i32}
      aie.use_lock(%c1_1_l1_cons_lock_0_1_1, Release, 1)
      aie.next_bd ^bb15
    ^end:
      aie.end
    }
    aie.memtile_dma(%tile_2_1) {
      %10 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l2_buff_0_2_1 : memref<2x16x16xbf16>, 0, 512) {bd_id = 2 : i32}
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l2_buff_1_2_1 : memref<2x16x16xbf16>, 0, 512) {bd_id = 3 : i32}
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %11 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l2_buff_0_2_1 : memref<2x16x16xbf16>, 0, 512, [<size = 4, stride = 128>, <size = 4, stride = 4>, <size = 8, stride = 16>, <size = 4, stride = 1>]) {bd_id = 0 : i32}
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l2_buff_1_2_1 : memref<2x16x16xbf16>, 0, 512, [<size = 4, stride = 128>, <size = 4, stride = 4>, <size = 8, stride = 16>, <size = 4, stride = 1>]) {bd_id = 1 : i32}
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, Release, 1)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.memtile_dma(%tile_3_1) {
      %12 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l2_buff_0_3_1 : memref<2x16x16xbf16>, 0, 512) {bd_id = 2 : i32}
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l2_buff_1_3_1 : memref<2x16x16xbf16>, 0, 512) {bd_id = 3 : i32}
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %13 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l2_buff_0_3_1 : memref<2x16x16xbf16>, 0, 512, [<size = 4, stride = 128>, <size = 4, stride = 4>, <size = 8, stride = 16>, <size = 4, stride = 1>]) {bd_id = 0 : i32}
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%b1_0_l1_cons_lock_0_3_1, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l2_buff_1_3_1 : memref<2x16x16xbf16>, 0, 512, [<size = 4, stride = 128>, <size = 4, stride = 4>, <size = 8, stride = 16>, <size = 4, stride = 1>]) {bd_id = 1 : i32}
      aie.use_lock(%b1_0_l1_prod_lock_0_3_1, Release, 1)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.mem(%tile_0_2) {
      %14 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l1_cons_0_buff_0_0_2 : memref<16x16xbf16>, 0, 256) {bd_id = 0 : i32}
      aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l1_cons_0_buff_1_0_2 : memref<16x16xbf16>, 0, 256) {bd_id = 1 : i32}
      aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %15 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l1_cons_0_buff_0_0_2 : memref<16x16xbf16>, 0, 256) {bd_id = 2 : i32}
      aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l1_cons_0_buff_1_0_2 : memref<16x16xbf16>, 0, 256) {bd_id = 3 : i32}
      aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      %16 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      aie.use_lock(%c0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_0_l1_buff_0_0_2 : memref<16x16xbf16>, 0, 256) {bd_id = 4 : i32}
      aie.use_lock(%c0_0_l1_prod_lock_0_0_2, Release, 1)
      aie.next_bd ^bb8
    ^bb8:
      aie.use_lock(%c0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_0_l1_buff_1_0_2 : memref<16x16xbf16>, 0, 256) {bd_id = 5 : i32}
      aie.use_lock(%c0_0_l1_prod_lock_0_0_2, Release, 1)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.mem(%tile_1_2) {
      %17 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%a0_0_l1_cons_1_prod_lock_0_1_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l1_cons_1_buff_0_1_2 : memref<16x16xbf16>, 0, 256) {bd_id = 0 : i32}
      aie.use_lock(%a0_0_l1_cons_1_cons_lock_0_1_2, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%a0_0_l1_cons_1_prod_lock_0_1_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%a0_0_l1_cons_1_buff_1_1_2 : memref<16x16xbf16>, 0, 256) {bd_id = 1 : i32}
      aie.use_lock(%a0_0_l1_cons_1_cons_lock_0_1_2, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %18 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%b1_0_l1_cons_0_prod_lock_0_1_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l1_cons_0_buff_0_1_2 : memref<16x16xbf16>, 0, 256) {bd_id = 2 : i32}
      aie.use_lock(%b1_0_l1_cons_0_cons_lock_0_1_2, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%b1_0_l1_cons_0_prod_lock_0_1_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l1_cons_0_buff_1_1_2 : memref<16x16xbf16>, 0, 256) {bd_id = 3 : i32}
      aie.use_lock(%b1_0_l1_cons_0_cons_lock_0_1_2, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      %19 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      aie.use_lock(%c1_0_l1_cons_lock_0_1_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_0_l1_buff_0_1_2 : memref<16x16xbf16>, 0, 256) {bd_id = 4 : i32}
      aie.use_lock(%c1_0_l1_prod_lock_0_1_2, Release, 1)
      aie.next_bd ^bb8
    ^bb8:
      aie.use_lock(%c1_0_l1_cons_lock_0_1_2, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_0_l1_buff_1_1_2 : memref<16x16xbf16>, 0, 256) {bd_id = 5 : i32}
      aie.use_lock(%c1_0_l1_prod_lock_0_1_2, Release, 1)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.mem(%tile_0_3) {
      %20 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l1_cons_0_buff_0_0_3 : memref<16x16xbf16>, 0, 256) {bd_id = 0 : i32}
      aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l1_cons_0_buff_1_0_3 : memref<16x16xbf16>, 0, 256) {bd_id = 1 : i32}
      aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %21 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l1_cons_1_buff_0_0_3 : memref<16x16xbf16>, 0, 256) {bd_id = 2 : i32}
      aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%b0_0_l1_cons_1_buff_1_0_3 : memref<16x16xbf16>, 0, 256) {bd_id = 3 : i32}
      aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      %22 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      aie.use_lock(%c0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_1_l1_buff_0_0_3 : memref<16x16xbf16>, 0, 256) {bd_id = 4 : i32}
      aie.use_lock(%c0_1_l1_prod_lock_0_0_3, Release, 1)
      aie.next_bd ^bb8
    ^bb8:
      aie.use_lock(%c0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%c0_1_l1_buff_1_0_3 : memref<16x16xbf16>, 0, 256) {bd_id = 5 : i32}
      aie.use_lock(%c0_1_l1_prod_lock_0_0_3, Release, 1)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.mem(%tile_1_3) {
      %23 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      aie.use_lock(%a1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l1_cons_1_buff_0_1_3 : memref<16x16xbf16>, 0, 256) {bd_id = 0 : i32}
      aie.use_lock(%a1_0_l1_cons_1_cons_lock_0_1_3, Release, 1)
      aie.next_bd ^bb2
    ^bb2:
      aie.use_lock(%a1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%a1_0_l1_cons_1_buff_1_1_3 : memref<16x16xbf16>, 0, 256) {bd_id = 1 : i32}
      aie.use_lock(%a1_0_l1_cons_1_cons_lock_0_1_3, Release, 1)
      aie.next_bd ^bb1
    ^bb3:
      %24 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      aie.use_lock(%b1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l1_cons_1_buff_0_1_3 : memref<16x16xbf16>, 0, 256) {bd_id = 2 : i32}
      aie.use_lock(%b1_0_l1_cons_1_cons_lock_0_1_3, Release, 1)
      aie.next_bd ^bb5
    ^bb5:
      aie.use_lock(%b1_0_l1_cons_1_prod_lock_0_1_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%b1_0_l1_cons_1_buff_1_1_3 : memref<16x16xbf16>, 0, 256) {bd_id = 3 : i32}
      aie.use_lock(%b1_0_l1_cons_1_cons_lock_0_1_3, Release, 1)
      aie.next_bd ^bb4
    ^bb6:
      %25 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      aie.use_lock(%c1_1_l1_cons_lock_0_1_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_1_l1_buff_0_1_3 : memref<16x16xbf16>, 0, 256) {bd_id = 4 : i32}
      aie.use_lock(%c1_1_l1_prod_lock_0_1_3, Release, 1)
      aie.next_bd ^bb8
    ^bb8:
      aie.use_lock(%c1_1_l1_cons_lock_0_1_3, AcquireGreaterEqual, 1)
      aie.dma_bd(%c1_1_l1_buff_1_1_3 : memref<16x16xbf16>, 0, 256) {bd_id = 5 : i32}
      aie.use_lock(%c1_1_l1_prod_lock_0_1_3, Release, 1)
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
        aie.use_lock(%c0_0_l1_prod_lock_0_0_2, AcquireGreaterEqual, 1)
        func.call @zero_16x16f32(%local0_buff_0_0_2) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, 1)
          aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, 1)
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
          aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, Release, 1)
          %6 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a0_0_l1_slot[%c0] : memref<1xindex>
          aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, Release, 1)
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
        aie.use_lock(%c0_0_l1_cons_lock_0_0_2, Release, 1)
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
        aie.use_lock(%c1_0_l1_prod_lock_0_1_2, AcquireGreaterEqual, 1)
        func.call @zero_16x16f32(%local0_buff_0_1_2) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          aie.use_lock(%a0_0_l1_cons_1_cons_lock_0_1_2, AcquireGreaterEqual, 1)
          aie.use_lock(%b1_0_l1_cons_0_cons_lock_0_1_2, AcquireGreaterEqual, 1)
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
          aie.use_lock(%a0_0_l1_cons_1_prod_lock_0_1_2, Release, 1)
          %6 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a0_0_l1_slot[%c0] : memref<1xindex>
          aie.use_lock(%b1_0_l1_cons_0_prod_lock_0_1_2, Release, 1)
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
        aie.use_lock(%c1_0_l1_cons_lock_0_1_2, Release, 1)
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
        aie.use_lock(%c0_1_l1_prod_lock_0_0_3, AcquireGreaterEqual, 1)
        func.call @zero_16x16f32(%local0_buff_0_0_3) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, AcquireGreaterEqual, 1)
          aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, AcquireGreaterEqual, 1)
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
          aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, Release, 1)
          %6 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a1_0_l1_slot[%c0] : memref<1xindex>
          aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, Release, 1)
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
        aie.use_lock(%c0_1_l1_cons_lock_0_0_3, Release, 1)
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
        aie.use_lock(%c1_1_l1_prod_lock_0_1_3, AcquireGreaterEqual, 1)
        func.call @zero_16x16f32(%local0_buff_0_1_3) : (memref<16x16xf32>) -> () // 0 cycles
        %1 = arith.constant 4 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          aie.use_lock(%a1_0_l1_cons_1_cons_lock_0_1_3, AcquireGreaterEqual, 1)
          aie.use_lock(%b1_0_l1_cons_1_cons_lock_0_1_3, AcquireGreaterEqual, 1)
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
          aie.use_lock(%a1_0_l1_cons_1_prod_lock_0_1_3, Release, 1)
          %6 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a1_0_l1_slot[%c0] : memref<1xindex>
          aie.use_lock(%b1_0_l1_cons_1_prod_lock_0_1_3, Release, 1)
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
        aie.use_lock(%c1_1_l1_cons_lock_0_1_3, Release, 1)
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
