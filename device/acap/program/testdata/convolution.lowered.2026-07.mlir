// convolution on npu1, lowered level, in the shape of mlir-aie 2026-07
module {
  aie.device(npu1) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    %tile_1_0 = aie.tile(1, 0)
    %tile_1_1 = aie.tile(1, 1)
    %tile_2_0 = aie.tile(2, 0)
    %tile_2_1 = aie.tile(2, 1)
    %a0_0_l2_buff_0_0_1 = aie.buffer(%tile_0_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "a0_0_l2_buff_0_0_1"} : memref<4x18x8xbf16>
    %a0_0_l2_buff_1_0_1 = aie.buffer(%tile_0_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "a0_0_l2_buff_1_0_1"} : memref<4x18x8xbf16>
    %a1_0_l2_buff_0_1_1 = aie.buffer(%tile_1_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "a1_0_l2_buff_0_1_1"} : memref<4x18x8xbf16>
    %a1_0_l2_buff_1_1_1 = aie.buffer(%tile_1_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "a1_0_l2_buff_1_1_1"} : memref<4x18x8xbf16>
    %b0_0_l2_buff_0_2_1 = aie.buffer(%tile_2_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "b0_0_l2_buff_0_2_1"} : memref<1x24x8xbf16>
    %b0_0_l2_buff_1_2_1 = aie.buffer(%tile_2_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "b0_0_l2_buff_1_2_1"} : memref<1x24x8xbf16>
    %c0_l2_buff_0_0_1 = aie.buffer(%tile_0_1) {address = 131072 : i32, mem_bank = 2 : i32, sym_name = "c0_l2_buff_0_0_1"} : memref<2x32x8xbf16>
    %c0_l2_buff_1_0_1 = aie.buffer(%tile_0_1) {address = 196608 : i32, mem_bank = 3 : i32, sym_name = "c0_l2_buff_1_0_1"} : memref<2x32x8xbf16>
    %a0_0_l1_cons_0_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "a0_0_l1_cons_0_buff_0_0_2"} : memref<32x24xbf16>
    %a0_0_l1_cons_0_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "a0_0_l1_cons_0_buff_1_0_2"} : memref<32x24xbf16>
    %a1_0_l1_cons_0_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "a1_0_l1_cons_0_buff_0_0_3"} : memref<32x24xbf16>
    %a1_0_l1_cons_0_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "a1_0_l1_cons_0_buff_1_0_3"} : memref<32x24xbf16>
    %b0_0_l1_cons_0_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 1536 : i32, mem_bank = 0 : i32, sym_name = "b0_0_l1_cons_0_buff_0_0_2"} : memref<24x8xbf16>
    %b0_0_l1_cons_0_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 17920 : i32, mem_bank = 1 : i32, sym_name = "b0_0_l1_cons_0_buff_1_0_2"} : memref<24x8xbf16>
    %b0_0_l1_cons_1_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 1536 : i32, mem_bank = 0 : i32, sym_name = "b0_0_l1_cons_1_buff_0_0_3"} : memref<24x8xbf16>
    %b0_0_l1_cons_1_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 17920 : i32, mem_bank = 1 : i32, sym_name = "b0_0_l1_cons_1_buff_1_0_3"} : memref<24x8xbf16>
    %c0_0_l1_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "c0_0_l1_buff_0_0_2"} : memref<32x8xbf16>
    %c0_0_l1_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 50176 : i32, mem_bank = 3 : i32, sym_name = "c0_0_l1_buff_1_0_2"} : memref<32x8xbf16>
    %c0_1_l1_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "c0_1_l1_buff_0_0_3"} : memref<32x8xbf16>
    %c0_1_l1_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 50176 : i32, mem_bank = 3 : i32, sym_name = "c0_1_l1_buff_1_0_3"} : memref<32x8xbf16>
    %local0_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "local0_buff_0_0_2"} : memref<32x8xf32>
    %local1_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 34304 : i32, mem_bank = 2 : i32, sym_name = "local1_buff_0_0_2"} : memref<1x8xbf16>
    %local0_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "local0_buff_0_0_3"} : memref<32x8xf32>
    %local1_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 34304 : i32, mem_bank = 2 : i32, sym_name = "local1_buff_0_0_3"} : memref<1x8xbf16>
    %a0_0_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 0) {init = 2 : i32, sym_name = "a0_0_l1_prod_lock_0_0_1"}
    %a0_0_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 1) {init = 0 : i32, sym_name = "a0_0_l1_cons_lock_0_0_1"}
    %a1_0_l1_prod_lock_0_1_1 = aie.lock(%tile_1_1, 0) {init = 2 : i32, sym_name = "a1_0_l1_prod_lock_0_1_1"}
    %a1_0_l1_cons_lock_0_1_1 = aie.lock(%tile_1_1, 1) {init = 0 : i32, sym_name = "a1_0_l1_cons_lock_0_1_1"}
    %b0_0_l1_prod_lock_0_2_1 = aie.lock(%tile_2_1, 0) {init = 2 : i32, sym_name = "b0_0_l1_prod_lock_0_2_1"}
    %b0_0_l1_cons_lock_0_2_1 = aie.lock(%tile_2_1, 1) {init = 0 : i32, sym_name = "b0_0_l1_cons_lock_0_2_1"}
    %c0_0_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 2) {init = 2 : i32, sym_name = "c0_0_l1_prod_lock_0_0_1"}
    %c0_0_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 3) {init = 0 : i32, sym_name = "c0_0_l1_cons_lock_0_0_1"}
    %c0_1_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 4) {init = 2 : i32, sym_name = "c0_1_l1_prod_lock_0_0_1"}
    %c0_1_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 5) {init = 0 : i32, sym_name = "c0_1_l1_cons_lock_0_0_1"}
    %a0_0_l1_cons_0_prod_lock_0_0_2 = aie.lock(%tile_0_2, 0) {init = 2 : i32, sym_name = "a0_0_l1_cons_0_prod_lock_0_0_2"}
    %a0_0_l1_cons_0_cons_lock_0_0_2 = aie.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = "a0_0_l1_cons_0_cons_lock_0_0_2"}
    %a1_0_l1_cons_0_prod_lock_0_0_3 = aie.lock(%tile_0_3, 0) {init = 2 : i32, sym_name = "a1_0_l1_cons_0_prod_lock_0_0_3"}
    %a1_0_l1_cons_0_cons_lock_0_0_3 = aie.lock(%tile_0_3, 1) {init = 0 : i32, sym_name = "a1_0_l1_cons_0_cons_lock_0_0_3"}
    %b0_0_l1_cons_0_prod_lock_0_0_2 = aie.lock(%tile_0_2, 2) {init = 2 : i32, sym_name = "b0_0_l1_cons_0_prod_lock_0_0_2"}
    %b0_0_l1_cons_0_cons_lock_0_0_2 = aie.lock(%tile_0_2, 3) {init = 0 : i32, sym_name = "b0_0_l1_cons_0_cons_lock_0_0_2"}
    %b0_0_l1_cons_1_prod_lock_0_0_3 = aie.lock(%tile_0_3, 2) {init = 2 : i32, sym_name = "b0_0_l1_cons_1_prod_lock_0_0_3"}
    %b0_0_l1_cons_1_cons_lock_0_0_3 = aie.lock(%tile_0_3, 3) {init = 0 : i32, sym_name = "b0_0_l1_cons_1_cons_lock_0_0_3"}
    %c0_0_l1_prod_lock_0_0_2 = aie.lock(%tile_0_2, 4) {init = 2 : i32, sym_name = "c0_0_l1_prod_lock_0_0_2"}
    %c0_0_l1_cons_lock_0_0_2 = aie.lock(%tile_0_2, 5) {init = 0 : i32, sym_name = "c0_0_l1_cons_lock_0_0_2"}
    %c0_1_l1_prod_lock_0_0_3 = aie.lock(%tile_0_3, 4) {init = 2 : i32, sym_name = "c0_1_l1_prod_lock_0_0_3"}
    %c0_1_l1_cons_lock_0_0_3 = aie.lock(%tile_0_3, 5) {init = 0 : i32, sym_name = "c0_1_l1_cons_lock_0_0_3"}
    aie.flow(%tile_0_0, DMA : 0, %tile_0_1, DMA : 0)
    aie.flow(%tile_0_1, DMA : 0, %tile_0_2, DMA : 0)
    aie.flow(%tile_1_0, DMA : 0, %tile_1_1, DMA : 0)
    aie.flow(%tile_1_1, DMA : 0, %tile_0_3, DMA : 0)
    aie.flow(%tile_2_0, DMA : 0, %tile_2_1, DMA : 0)
    aie.flow(%tile_2_1, DMA : 0, %tile_0_2, DMA : 1)
    aie.flow(%tile_2_1, DMA : 0, %tile_0_3, DMA : 1)
    aie.flow(%tile_0_2, DMA : 0, %tile_0_1, DMA : 1)
    aie.flow(%tile_0_3, DMA : 0, %tile_0_1, DMA : 2)
    aie.flow(%tile_0_1, DMA : 1, %tile_0_0, DMA : 0)
    aie.memtile_dma(%tile_0_1) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value0 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value0)
      aie.dma_bd(%a0_0_l2_buff_0_0_1 : memref<4x18x8xbf16> offset = 0 len = 576) {bd_id = 2 : i32}
      %value1 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, Release, %value1)
      aie.next_bd ^bb2
    ^bb2:
      %value2 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value2)
      aie.dma_bd(%a0_0_l2_buff_1_0_1 : memref<4x18x8xbf16> offset = 0 len = 576) {bd_id = 3 : i32}
      %value3 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, Release, %value3)
      aie.next_bd ^bb1
    ^bb3:
      %1 = aie.dma_start(MM2S, 0, ^bb4, ^bb6)
    ^bb4:
      %value4 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value4)
      aie.dma_bd(%a0_0_l2_buff_0_0_1 : memref<4x18x8xbf16> offset = 0 len = 2304 sizes = [3, 2, 16, 24] strides = [144, 144, 8, 1]) {bd_id = 0 : i32}
      %value5 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, Release, %value5)
      aie.next_bd ^bb5
    ^bb5:
      %value6 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value6)
      aie.dma_bd(%a0_0_l2_buff_1_0_1 : memref<4x18x8xbf16> offset = 0 len = 2304 sizes = [3, 2, 16, 24] strides = [144, 144, 8, 1]) {bd_id = 1 : i32}
      %value7 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_prod_lock_0_0_1, Release, %value7)
      aie.next_bd ^bb4
    ^bb6:
      %2 = aie.dma_start(MM2S, 1, ^bb7, ^bb11)
    ^bb7:
      %value8 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value8)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x32x8xbf16> offset = 0 len = 256 sizes = [8, 4, 2, 4] strides = [32, 4, 16, 1]) {bd_id = 26 : i32}
      %value9 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, Release, %value9)
      aie.next_bd ^bb8
    ^bb8:
      %value10 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value10)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x32x8xbf16> offset = 256 len = 256 sizes = [8, 4, 2, 4] strides = [32, 4, 16, 1]) {bd_id = 27 : i32}
      %value11 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, Release, %value11)
      aie.next_bd ^bb9
    ^bb9:
      %value12 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value12)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x32x8xbf16> offset = 0 len = 256 sizes = [8, 4, 2, 4] strides = [32, 4, 16, 1]) {bd_id = 28 : i32}
      %value13 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, Release, %value13)
      aie.next_bd ^bb10
    ^bb10:
      %value14 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value14)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x32x8xbf16> offset = 256 len = 256 sizes = [8, 4, 2, 4] strides = [32, 4, 16, 1]) {bd_id = 29 : i32}
      %value15 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, Release, %value15)
      aie.next_bd ^bb7
    ^bb11:
      %3 = aie.dma_start(S2MM, 1, ^bb12, ^bb14)
    ^bb12:
      %value16 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value16)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x32x8xbf16> offset = 0 len = 256) {bd_id = 24 : i32}
      %value17 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, Release, %value17)
      aie.next_bd ^bb13
    ^bb13:
      %value18 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value18)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x32x8xbf16> offset = 0 len = 256) {bd_id = 25 : i32}
      %value19 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_1, Release, %value19)
      aie.next_bd ^bb12
    ^bb14:
      %4 = aie.dma_start(S2MM, 2, ^bb15, ^end)
    ^bb15:
      %value20 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value20)
      aie.dma_bd(%c0_l2_buff_0_0_1 : memref<2x32x8xbf16> offset = 256 len = 256) {bd_id = 4 : i32}
      %value21 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_1, Release, %value21)
      aie.next_bd ^bb16
    ^bb16:
      %value22 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value22)
      aie.dma_bd(%c0_l2_buff_1_0_1 : memref<2x32x8xbf16> offset = 256 len = 256) {bd_id = 5 : i32}
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
      aie.dma_bd(%a1_0_l2_buff_0_1_1 : memref<4x18x8xbf16> offset = 0 len = 576) {bd_id = 2 : i32}
      %value25 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, Release, %value25)
      aie.next_bd ^bb2
    ^bb2:
      %value26 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, AcquireGreaterEqual, %value26)
      aie.dma_bd(%a1_0_l2_buff_1_1_1 : memref<4x18x8xbf16> offset = 0 len = 576) {bd_id = 3 : i32}
      %value27 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, Release, %value27)
      aie.next_bd ^bb1
    ^bb3:
      %6 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      %value28 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value28)
      aie.dma_bd(%a1_0_l2_buff_0_1_1 : memref<4x18x8xbf16> offset = 0 len = 2304 sizes = [3, 2, 16, 24] strides = [144, 144, 8, 1]) {bd_id = 0 : i32}
      %value29 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, Release, %value29)
      aie.next_bd ^bb5
    ^bb5:
      %value30 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_lock_0_1_1, AcquireGreaterEqual, %value30)
      aie.dma_bd(%a1_0_l2_buff_1_1_1 : memref<4x18x8xbf16> offset = 0 len = 2304 sizes = [3, 2, 16, 24] strides = [144, 144, 8, 1]) {bd_id = 1 : i32}
      %value31 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_prod_lock_0_1_1, Release, %value31)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.memtile_dma(%tile_2_1) {
      %7 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value32 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, AcquireGreaterEqual, %value32)
      aie.dma_bd(%b0_0_l2_buff_0_2_1 : memref<1x24x8xbf16> offset = 0 len = 192) {bd_id = 2 : i32}
      %value33 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, Release, %value33)
      aie.next_bd ^bb2
    ^bb2:
      %value34 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, AcquireGreaterEqual, %value34)
      aie.dma_bd(%b0_0_l2_buff_1_2_1 : memref<1x24x8xbf16> offset = 0 len = 192) {bd_id = 3 : i32}
      %value35 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, Release, %value35)
      aie.next_bd ^bb1
    ^bb3:
      %8 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      %value36 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, AcquireGreaterEqual, %value36)
      aie.dma_bd(%b0_0_l2_buff_0_2_1 : memref<1x24x8xbf16> offset = 0 len = 192 sizes = [3, 2, 8, 4] strides = [64, 4, 8, 1]) {bd_id = 0 : i32}
      %value37 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, Release, %value37)
      aie.next_bd ^bb5
    ^bb5:
      %value38 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_lock_0_2_1, AcquireGreaterEqual, %value38)
      aie.dma_bd(%b0_0_l2_buff_1_2_1 : memref<1x24x8xbf16> offset = 0 len = 192 sizes = [3, 2, 8, 4] strides = [64, 4, 8, 1]) {bd_id = 1 : i32}
      %value39 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_prod_lock_0_2_1, Release, %value39)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.mem(%tile_0_2) {
      %9 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value40 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value40)
      aie.dma_bd(%a0_0_l1_cons_0_buff_0_0_2 : memref<32x24xbf16> offset = 0 len = 768) {bd_id = 0 : i32}
      %value41 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, Release, %value41)
      aie.next_bd ^bb2
    ^bb2:
      %value42 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value42)
      aie.dma_bd(%a0_0_l1_cons_0_buff_1_0_2 : memref<32x24xbf16> offset = 0 len = 768) {bd_id = 1 : i32}
      %value43 = arith.constant 1 : i32
      aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, Release, %value43)
      aie.next_bd ^bb1
    ^bb3:
      %10 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      %value44 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value44)
      aie.dma_bd(%b0_0_l1_cons_0_buff_0_0_2 : memref<24x8xbf16> offset = 0 len = 192) {bd_id = 2 : i32}
      %value45 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, Release, %value45)
      aie.next_bd ^bb5
    ^bb5:
      %value46 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value46)
      aie.dma_bd(%b0_0_l1_cons_0_buff_1_0_2 : memref<24x8xbf16> offset = 0 len = 192) {bd_id = 3 : i32}
      %value47 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, Release, %value47)
      aie.next_bd ^bb4
    ^bb6:
      %11 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      %value48 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, %value48)
      aie.dma_bd(%c0_0_l1_buff_0_0_2 : memref<32x8xbf16> offset = 0 len = 256) {bd_id = 4 : i32}
      %value49 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_2, Release, %value49)
      aie.next_bd ^bb8
    ^bb8:
      %value50 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, %value50)
      aie.dma_bd(%c0_0_l1_buff_1_0_2 : memref<32x8xbf16> offset = 0 len = 256) {bd_id = 5 : i32}
      %value51 = arith.constant 1 : i32
      aie.use_lock(%c0_0_l1_prod_lock_0_0_2, Release, %value51)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.mem(%tile_0_3) {
      %12 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value52 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, %value52)
      aie.dma_bd(%a1_0_l1_cons_0_buff_0_0_3 : memref<32x24xbf16> offset = 0 len = 768) {bd_id = 0 : i32}
      %value53 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, Release, %value53)
      aie.next_bd ^bb2
    ^bb2:
      %value54 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, %value54)
      aie.dma_bd(%a1_0_l1_cons_0_buff_1_0_3 : memref<32x24xbf16> offset = 0 len = 768) {bd_id = 1 : i32}
      %value55 = arith.constant 1 : i32
      aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, Release, %value55)
      aie.next_bd ^bb1
    ^bb3:
      %13 = aie.dma_start(S2MM, 1, ^bb4, ^bb6)
    ^bb4:
      %value56 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, AcquireGreaterEqual, %value56)
      aie.dma_bd(%b0_0_l1_cons_1_buff_0_0_3 : memref<24x8xbf16> offset = 0 len = 192) {bd_id = 2 : i32}
      %value57 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, Release, %value57)
      aie.next_bd ^bb5
    ^bb5:
      %value58 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, AcquireGreaterEqual, %value58)
      aie.dma_bd(%b0_0_l1_cons_1_buff_1_0_3 : memref<24x8xbf16> offset = 0 len = 192) {bd_id = 3 : i32}
      %value59 = arith.constant 1 : i32
      aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, Release, %value59)
      aie.next_bd ^bb4
    ^bb6:
      %14 = aie.dma_start(MM2S, 0, ^bb7, ^end)
    ^bb7:
      %value60 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, %value60)
      aie.dma_bd(%c0_1_l1_buff_0_0_3 : memref<32x8xbf16> offset = 0 len = 256) {bd_id = 4 : i32}
      %value61 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_3, Release, %value61)
      aie.next_bd ^bb8
    ^bb8:
      %value62 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, %value62)
      aie.dma_bd(%c0_1_l1_buff_1_0_3 : memref<32x8xbf16> offset = 0 len = 256) {bd_id = 5 : i32}
      %value63 = arith.constant 1 : i32
      aie.use_lock(%c0_1_l1_prod_lock_0_0_3, Release, %value63)
      aie.next_bd ^bb7
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @a0_0_l2(%tile_0_0, MM2S, 0)
    aie.shim_dma_allocation @a1_0_l2(%tile_1_0, MM2S, 0)
    aie.shim_dma_allocation @b0_0_l2(%tile_2_0, MM2S, 0)
    aie.shim_dma_allocation @c0_l2(%tile_0_0, S2MM, 0)
    func.func private @capture_24x8bf16_1x8bf16_0(memref<24x8xbf16>, memref<1x8xbf16>)
    func.func private @finish_32x8f32_1x8bf16_32x8bf16(memref<32x8xf32>, memref<1x8xbf16>, memref<32x8xbf16>)
    func.func private @matmul_32x24bf16_24x8bf16_32x8f32(memref<32x24xbf16>, memref<24x8xbf16>, memref<32x8xf32>)
    func.func private @zero_32x8f32(memref<32x8xf32>)
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
        %value64 = arith.constant 1 : i32
        aie.use_lock(%c0_0_l1_prod_lock_0_0_2, AcquireGreaterEqual, %value64)
        func.call @zero_32x8f32(%local0_buff_0_0_2) : (memref<32x8xf32>) -> () // 0 cycles
        %1 = arith.constant 3 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          %value65 = arith.constant 1 : i32
          aie.use_lock(%a0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, %value65)
          %value66 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, %value66)
          %2 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %3 = scf.index_switch %2 -> memref<32x24xbf16>
          case 1 {
            scf.yield %a0_0_l1_cons_0_buff_1_0_2 : memref<32x24xbf16>
          }
          default {
            scf.yield %a0_0_l1_cons_0_buff_0_0_2 : memref<32x24xbf16>
          }
          %4 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %5 = scf.index_switch %4 -> memref<24x8xbf16>
          case 1 {
            scf.yield %b0_0_l1_cons_0_buff_1_0_2 : memref<24x8xbf16>
          }
          default {
            scf.yield %b0_0_l1_cons_0_buff_0_0_2 : memref<24x8xbf16>
          }
          func.call @matmul_32x24bf16_24x8bf16_32x8f32(%3, %5, %local0_buff_0_0_2) : (memref<32x24xbf16>, memref<24x8xbf16>, memref<32x8xf32>) -> () // 1019 cycles
          %value67 = arith.constant 1 : i32
          aie.use_lock(%a0_0_l1_cons_0_prod_lock_0_0_2, Release, %value67)
          %6 = memref.load %a0_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a0_0_l1_slot[%c0] : memref<1xindex>
          %value68 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, Release, %value68)
          %11 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %12 = arith.constant 1 : index
          %13 = arith.addi %11, %12 : index
          %14 = arith.constant 2 : index
          %15 = arith.remui %13, %14 : index
          memref.store %15, %b0_0_l1_slot[%c0] : memref<1xindex>
        }
        %value69 = arith.constant 1 : i32
        aie.use_lock(%b0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, %value69)
        %16 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
        %17 = scf.index_switch %16 -> memref<24x8xbf16>
        case 1 {
          scf.yield %b0_0_l1_cons_0_buff_1_0_2 : memref<24x8xbf16>
        }
        default {
          scf.yield %b0_0_l1_cons_0_buff_0_0_2 : memref<24x8xbf16>
        }
        func.call @capture_24x8bf16_1x8bf16_0(%17, %local1_buff_0_0_2) : (memref<24x8xbf16>, memref<1x8xbf16>) -> () // 0 cycles
        %value70 = arith.constant 1 : i32
        aie.use_lock(%b0_0_l1_cons_0_prod_lock_0_0_2, Release, %value70)
        %18 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
        %19 = arith.constant 1 : index
        %20 = arith.addi %18, %19 : index
        %21 = arith.constant 2 : index
        %22 = arith.remui %20, %21 : index
        memref.store %22, %b0_0_l1_slot[%c0] : memref<1xindex>
        %23 = memref.load %c0_0_l1_slot[%c0] : memref<1xindex>
        %24 = scf.index_switch %23 -> memref<32x8xbf16>
        case 1 {
          scf.yield %c0_0_l1_buff_1_0_2 : memref<32x8xbf16>
        }
        default {
          scf.yield %c0_0_l1_buff_0_0_2 : memref<32x8xbf16>
        }
        func.call @finish_32x8f32_1x8bf16_32x8bf16(%local0_buff_0_0_2, %local1_buff_0_0_2, %24) : (memref<32x8xf32>, memref<1x8xbf16>, memref<32x8xbf16>) -> () // 0 cycles
        %value71 = arith.constant 1 : i32
        aie.use_lock(%c0_0_l1_cons_lock_0_0_2, Release, %value71)
        %25 = memref.load %c0_0_l1_slot[%c0] : memref<1xindex>
        %26 = arith.constant 1 : index
        %27 = arith.addi %25, %26 : index
        %28 = arith.constant 2 : index
        %29 = arith.remui %27, %28 : index
        memref.store %29, %c0_0_l1_slot[%c0] : memref<1xindex>
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
        %value72 = arith.constant 1 : i32
        aie.use_lock(%c0_1_l1_prod_lock_0_0_3, AcquireGreaterEqual, %value72)
        func.call @zero_32x8f32(%local0_buff_0_0_3) : (memref<32x8xf32>) -> () // 0 cycles
        %1 = arith.constant 3 : index
        scf.for %i4 = %c0 to %1 step %c1 {
          %value73 = arith.constant 1 : i32
          aie.use_lock(%a1_0_l1_cons_0_cons_lock_0_0_3, AcquireGreaterEqual, %value73)
          %value74 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, AcquireGreaterEqual, %value74)
          %2 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %3 = scf.index_switch %2 -> memref<32x24xbf16>
          case 1 {
            scf.yield %a1_0_l1_cons_0_buff_1_0_3 : memref<32x24xbf16>
          }
          default {
            scf.yield %a1_0_l1_cons_0_buff_0_0_3 : memref<32x24xbf16>
          }
          %4 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %5 = scf.index_switch %4 -> memref<24x8xbf16>
          case 1 {
            scf.yield %b0_0_l1_cons_1_buff_1_0_3 : memref<24x8xbf16>
          }
          default {
            scf.yield %b0_0_l1_cons_1_buff_0_0_3 : memref<24x8xbf16>
          }
          func.call @matmul_32x24bf16_24x8bf16_32x8f32(%3, %5, %local0_buff_0_0_3) : (memref<32x24xbf16>, memref<24x8xbf16>, memref<32x8xf32>) -> () // 1019 cycles
          %value75 = arith.constant 1 : i32
          aie.use_lock(%a1_0_l1_cons_0_prod_lock_0_0_3, Release, %value75)
          %6 = memref.load %a1_0_l1_slot[%c0] : memref<1xindex>
          %7 = arith.constant 1 : index
          %8 = arith.addi %6, %7 : index
          %9 = arith.constant 2 : index
          %10 = arith.remui %8, %9 : index
          memref.store %10, %a1_0_l1_slot[%c0] : memref<1xindex>
          %value76 = arith.constant 1 : i32
          aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, Release, %value76)
          %11 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
          %12 = arith.constant 1 : index
          %13 = arith.addi %11, %12 : index
          %14 = arith.constant 2 : index
          %15 = arith.remui %13, %14 : index
          memref.store %15, %b0_0_l1_slot[%c0] : memref<1xindex>
        }
        %value77 = arith.constant 1 : i32
        aie.use_lock(%b0_0_l1_cons_1_cons_lock_0_0_3, AcquireGreaterEqual, %value77)
        %16 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
        %17 = scf.index_switch %16 -> memref<24x8xbf16>
        case 1 {
          scf.yield %b0_0_l1_cons_1_buff_1_0_3 : memref<24x8xbf16>
        }
        default {
          scf.yield %b0_0_l1_cons_1_buff_0_0_3 : memref<24x8xbf16>
        }
        func.call @capture_24x8bf16_1x8bf16_0(%17, %local1_buff_0_0_3) : (memref<24x8xbf16>, memref<1x8xbf16>) -> () // 0 cycles
        %value78 = arith.constant 1 : i32
        aie.use_lock(%b0_0_l1_cons_1_prod_lock_0_0_3, Release, %value78)
        %18 = memref.load %b0_0_l1_slot[%c0] : memref<1xindex>
        %19 = arith.constant 1 : index
        %20 = arith.addi %18, %19 : index
        %21 = arith.constant 2 : index
        %22 = arith.remui %20, %21 : index
        memref.store %22, %b0_0_l1_slot[%c0] : memref<1xindex>
        %23 = memref.load %c0_1_l1_slot[%c0] : memref<1xindex>
        %24 = scf.index_switch %23 -> memref<32x8xbf16>
        case 1 {
          scf.yield %c0_1_l1_buff_1_0_3 : memref<32x8xbf16>
        }
        default {
          scf.yield %c0_1_l1_buff_0_0_3 : memref<32x8xbf16>
        }
        func.call @finish_32x8f32_1x8bf16_32x8bf16(%local0_buff_0_0_3, %local1_buff_0_0_3, %24) : (memref<32x8xf32>, memref<1x8xbf16>, memref<32x8xbf16>) -> () // 0 cycles
        %value79 = arith.constant 1 : i32
        aie.use_lock(%c0_1_l1_cons_lock_0_0_3, Release, %value79)
        %25 = memref.load %c0_1_l1_slot[%c0] : memref<1xindex>
        %26 = arith.constant 1 : index
        %27 = arith.addi %25, %26 : index
        %28 = arith.constant 2 : index
        %29 = arith.remui %27, %28 : index
        memref.store %29, %c0_1_l1_slot[%c0] : memref<1xindex>
      }
      aie.end
    }
    aie.runtime_sequence(%a: memref<1x1x18x18x8xbf16>, %b: memref<1x72x8xbf16>, %e0: memref<1x1x8xbf16>, %c: memref<1x256x8xbf16>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 0 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 288][1, 1, 1, 576][0, 0, 0, 1]) {id = 0 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 2 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 576][1, 1, 1, 576][0, 0, 0, 1]) {id = 1 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 864][1, 1, 1, 576][0, 0, 0, 1]) {id = 1 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 3 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 1 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1152][1, 1, 1, 576][0, 0, 0, 1]) {id = 2 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1440][1, 1, 1, 576][0, 0, 0, 1]) {id = 2 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 2 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 3 : i64, issue_token = true, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 0 : i64, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 1728][1, 1, 1, 576][0, 0, 0, 1]) {id = 3 : i64, metadata = @a0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 2016][1, 1, 1, 576][0, 0, 0, 1]) {id = 3 : i64, metadata = @a1_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, 576][0, 0, 0, 1]) {id = 1 : i64, metadata = @b0_0_l2} : memref<1x72x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%e0[0, 0, 0, 0][1, 1, 1, 8][0, 0, 0, 1]) {id = 2 : i64, metadata = @b0_0_l2} : memref<1x1x8xbf16>
      aiex.npu.dma_wait {symbol = @b0_0_l2}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, 184][0, 0, 0, 1]) {id = 3 : i64, metadata = @b0_0_l2} : memref<1x1x18x18x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 0][1, 1, 1, 512][0, 0, 0, 1]) {id = 4 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 512][1, 1, 1, 512][0, 0, 0, 1]) {id = 5 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 1024][1, 1, 1, 512][0, 0, 0, 1]) {id = 6 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_memcpy_nd(%c[0, 0, 0, 1536][1, 1, 1, 512][0, 0, 0, 1]) {id = 7 : i64, issue_token = true, metadata = @c0_l2} : memref<1x256x8xbf16>
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c0_l2}
      aiex.npu.dma_wait {symbol = @c0_l2}
    }
  }
}
