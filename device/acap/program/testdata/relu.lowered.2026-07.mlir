// relu on npu1, lowered level, in the shape of mlir-aie 2026-07
module {
  aie.device(npu1) {
    %tile_0_0 = aie.tile(0, 0)
    %tile_0_1 = aie.tile(0, 1)
    %tile_0_2 = aie.tile(0, 2)
    %tile_0_3 = aie.tile(0, 3)
    %in0_0_l2_buff_0_0_1 = aie.buffer(%tile_0_1) {address = 0 : i32, mem_bank = 0 : i32, sym_name = "in0_0_l2_buff_0_0_1"} : memref<2x1024xbf16>
    %in0_0_l2_buff_1_0_1 = aie.buffer(%tile_0_1) {address = 65536 : i32, mem_bank = 1 : i32, sym_name = "in0_0_l2_buff_1_0_1"} : memref<2x1024xbf16>
    %out0_0_l2_buff_0_0_1 = aie.buffer(%tile_0_1) {address = 131072 : i32, mem_bank = 2 : i32, sym_name = "out0_0_l2_buff_0_0_1"} : memref<2x1024xbf16>
    %out0_0_l2_buff_1_0_1 = aie.buffer(%tile_0_1) {address = 196608 : i32, mem_bank = 3 : i32, sym_name = "out0_0_l2_buff_1_0_1"} : memref<2x1024xbf16>
    %in0_0_0_l1_cons_0_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "in0_0_0_l1_cons_0_buff_0_0_2"} : memref<1024xbf16>
    %in0_0_0_l1_cons_0_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "in0_0_0_l1_cons_0_buff_1_0_2"} : memref<1024xbf16>
    %in0_0_1_l1_cons_0_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 16384 : i32, mem_bank = 1 : i32, sym_name = "in0_0_1_l1_cons_0_buff_0_0_3"} : memref<1024xbf16>
    %in0_0_1_l1_cons_0_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 32768 : i32, mem_bank = 2 : i32, sym_name = "in0_0_1_l1_cons_0_buff_1_0_3"} : memref<1024xbf16>
    %out0_0_0_l1_buff_0_0_2 = aie.buffer(%tile_0_2) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "out0_0_0_l1_buff_0_0_2"} : memref<1024xbf16>
    %out0_0_0_l1_buff_1_0_2 = aie.buffer(%tile_0_2) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "out0_0_0_l1_buff_1_0_2"} : memref<1024xbf16>
    %out0_0_1_l1_buff_0_0_3 = aie.buffer(%tile_0_3) {address = 49152 : i32, mem_bank = 3 : i32, sym_name = "out0_0_1_l1_buff_0_0_3"} : memref<1024xbf16>
    %out0_0_1_l1_buff_1_0_3 = aie.buffer(%tile_0_3) {address = 1024 : i32, mem_bank = 0 : i32, sym_name = "out0_0_1_l1_buff_1_0_3"} : memref<1024xbf16>
    %in0_0_0_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 0) {init = 2 : i32, sym_name = "in0_0_0_l1_prod_lock_0_0_1"}
    %in0_0_0_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 1) {init = 0 : i32, sym_name = "in0_0_0_l1_cons_lock_0_0_1"}
    %in0_0_1_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 2) {init = 2 : i32, sym_name = "in0_0_1_l1_prod_lock_0_0_1"}
    %in0_0_1_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 3) {init = 0 : i32, sym_name = "in0_0_1_l1_cons_lock_0_0_1"}
    %out0_0_0_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 4) {init = 2 : i32, sym_name = "out0_0_0_l1_prod_lock_0_0_1"}
    %out0_0_0_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 5) {init = 0 : i32, sym_name = "out0_0_0_l1_cons_lock_0_0_1"}
    %out0_0_1_l1_prod_lock_0_0_1 = aie.lock(%tile_0_1, 6) {init = 2 : i32, sym_name = "out0_0_1_l1_prod_lock_0_0_1"}
    %out0_0_1_l1_cons_lock_0_0_1 = aie.lock(%tile_0_1, 7) {init = 0 : i32, sym_name = "out0_0_1_l1_cons_lock_0_0_1"}
    %in0_0_0_l1_cons_0_prod_lock_0_0_2 = aie.lock(%tile_0_2, 0) {init = 2 : i32, sym_name = "in0_0_0_l1_cons_0_prod_lock_0_0_2"}
    %in0_0_0_l1_cons_0_cons_lock_0_0_2 = aie.lock(%tile_0_2, 1) {init = 0 : i32, sym_name = "in0_0_0_l1_cons_0_cons_lock_0_0_2"}
    %in0_0_1_l1_cons_0_prod_lock_0_0_3 = aie.lock(%tile_0_3, 0) {init = 2 : i32, sym_name = "in0_0_1_l1_cons_0_prod_lock_0_0_3"}
    %in0_0_1_l1_cons_0_cons_lock_0_0_3 = aie.lock(%tile_0_3, 1) {init = 0 : i32, sym_name = "in0_0_1_l1_cons_0_cons_lock_0_0_3"}
    %out0_0_0_l1_prod_lock_0_0_2 = aie.lock(%tile_0_2, 2) {init = 2 : i32, sym_name = "out0_0_0_l1_prod_lock_0_0_2"}
    %out0_0_0_l1_cons_lock_0_0_2 = aie.lock(%tile_0_2, 3) {init = 0 : i32, sym_name = "out0_0_0_l1_cons_lock_0_0_2"}
    %out0_0_1_l1_prod_lock_0_0_3 = aie.lock(%tile_0_3, 2) {init = 2 : i32, sym_name = "out0_0_1_l1_prod_lock_0_0_3"}
    %out0_0_1_l1_cons_lock_0_0_3 = aie.lock(%tile_0_3, 3) {init = 0 : i32, sym_name = "out0_0_1_l1_cons_lock_0_0_3"}
    aie.flow(%tile_0_0, DMA : 0, %tile_0_1, DMA : 0)
    aie.flow(%tile_0_1, DMA : 0, %tile_0_2, DMA : 0)
    aie.flow(%tile_0_1, DMA : 1, %tile_0_3, DMA : 0)
    aie.flow(%tile_0_2, DMA : 0, %tile_0_1, DMA : 1)
    aie.flow(%tile_0_3, DMA : 0, %tile_0_1, DMA : 2)
    aie.flow(%tile_0_1, DMA : 2, %tile_0_0, DMA : 0)
    aie.memtile_dma(%tile_0_1) {
      %0 = aie.dma_start(S2MM, 0, ^bb1, ^bb5)
    ^bb1:
      %value0 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value0)
      aie.dma_bd(%in0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 2 : i32}
      %value1 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_lock_0_0_1, Release, %value1)
      aie.next_bd ^bb2
    ^bb2:
      %value2 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value2)
      aie.dma_bd(%in0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 3 : i32}
      %value3 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_lock_0_0_1, Release, %value3)
      aie.next_bd ^bb3
    ^bb3:
      %value4 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value4)
      aie.dma_bd(%in0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 4 : i32}
      %value5 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_lock_0_0_1, Release, %value5)
      aie.next_bd ^bb4
    ^bb4:
      %value6 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value6)
      aie.dma_bd(%in0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 5 : i32}
      %value7 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_lock_0_0_1, Release, %value7)
      aie.next_bd ^bb1
    ^bb5:
      %1 = aie.dma_start(MM2S, 0, ^bb6, ^bb8)
    ^bb6:
      %value8 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value8)
      aie.dma_bd(%in0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 0 : i32}
      %value9 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_prod_lock_0_0_1, Release, %value9)
      aie.next_bd ^bb7
    ^bb7:
      %value10 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value10)
      aie.dma_bd(%in0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 1 : i32}
      %value11 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_prod_lock_0_0_1, Release, %value11)
      aie.next_bd ^bb6
    ^bb8:
      %2 = aie.dma_start(MM2S, 1, ^bb9, ^bb11)
    ^bb9:
      %value12 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value12)
      aie.dma_bd(%in0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 24 : i32}
      %value13 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_prod_lock_0_0_1, Release, %value13)
      aie.next_bd ^bb10
    ^bb10:
      %value14 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value14)
      aie.dma_bd(%in0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 25 : i32}
      %value15 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_prod_lock_0_0_1, Release, %value15)
      aie.next_bd ^bb9
    ^bb11:
      %3 = aie.dma_start(MM2S, 2, ^bb12, ^bb16)
    ^bb12:
      %value16 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value16)
      aie.dma_bd(%out0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 8 : i32}
      %value17 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_prod_lock_0_0_1, Release, %value17)
      aie.next_bd ^bb13
    ^bb13:
      %value18 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value18)
      aie.dma_bd(%out0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 9 : i32}
      %value19 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_prod_lock_0_0_1, Release, %value19)
      aie.next_bd ^bb14
    ^bb14:
      %value20 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value20)
      aie.dma_bd(%out0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 10 : i32}
      %value21 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_prod_lock_0_0_1, Release, %value21)
      aie.next_bd ^bb15
    ^bb15:
      %value22 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_cons_lock_0_0_1, AcquireGreaterEqual, %value22)
      aie.dma_bd(%out0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 11 : i32}
      %value23 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_prod_lock_0_0_1, Release, %value23)
      aie.next_bd ^bb12
    ^bb16:
      %4 = aie.dma_start(S2MM, 1, ^bb17, ^bb19)
    ^bb17:
      %value24 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value24)
      aie.dma_bd(%out0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 26 : i32}
      %value25 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_cons_lock_0_0_1, Release, %value25)
      aie.next_bd ^bb18
    ^bb18:
      %value26 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value26)
      aie.dma_bd(%out0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 0 len = 1024) {bd_id = 27 : i32}
      %value27 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_cons_lock_0_0_1, Release, %value27)
      aie.next_bd ^bb17
    ^bb19:
      %5 = aie.dma_start(S2MM, 2, ^bb20, ^end)
    ^bb20:
      %value28 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value28)
      aie.dma_bd(%out0_0_l2_buff_0_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 6 : i32}
      %value29 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_cons_lock_0_0_1, Release, %value29)
      aie.next_bd ^bb21
    ^bb21:
      %value30 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_prod_lock_0_0_1, AcquireGreaterEqual, %value30)
      aie.dma_bd(%out0_0_l2_buff_1_0_1 : memref<2x1024xbf16> offset = 1024 len = 1024) {bd_id = 7 : i32}
      %value31 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_cons_lock_0_0_1, Release, %value31)
      aie.next_bd ^bb20
    ^end:
      aie.end
    }
    aie.mem(%tile_0_2) {
      %6 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value32 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value32)
      aie.dma_bd(%in0_0_0_l1_cons_0_buff_0_0_2 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 0 : i32}
      %value33 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_0_cons_lock_0_0_2, Release, %value33)
      aie.next_bd ^bb2
    ^bb2:
      %value34 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_0_prod_lock_0_0_2, AcquireGreaterEqual, %value34)
      aie.dma_bd(%in0_0_0_l1_cons_0_buff_1_0_2 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 1 : i32}
      %value35 = arith.constant 1 : i32
      aie.use_lock(%in0_0_0_l1_cons_0_cons_lock_0_0_2, Release, %value35)
      aie.next_bd ^bb1
    ^bb3:
      %7 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      %value36 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, %value36)
      aie.dma_bd(%out0_0_0_l1_buff_0_0_2 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 2 : i32}
      %value37 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_prod_lock_0_0_2, Release, %value37)
      aie.next_bd ^bb5
    ^bb5:
      %value38 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_cons_lock_0_0_2, AcquireGreaterEqual, %value38)
      aie.dma_bd(%out0_0_0_l1_buff_1_0_2 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 3 : i32}
      %value39 = arith.constant 1 : i32
      aie.use_lock(%out0_0_0_l1_prod_lock_0_0_2, Release, %value39)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.mem(%tile_0_3) {
      %8 = aie.dma_start(S2MM, 0, ^bb1, ^bb3)
    ^bb1:
      %value40 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, %value40)
      aie.dma_bd(%in0_0_1_l1_cons_0_buff_0_0_3 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 0 : i32}
      %value41 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_0_cons_lock_0_0_3, Release, %value41)
      aie.next_bd ^bb2
    ^bb2:
      %value42 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_0_prod_lock_0_0_3, AcquireGreaterEqual, %value42)
      aie.dma_bd(%in0_0_1_l1_cons_0_buff_1_0_3 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 1 : i32}
      %value43 = arith.constant 1 : i32
      aie.use_lock(%in0_0_1_l1_cons_0_cons_lock_0_0_3, Release, %value43)
      aie.next_bd ^bb1
    ^bb3:
      %9 = aie.dma_start(MM2S, 0, ^bb4, ^end)
    ^bb4:
      %value44 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, %value44)
      aie.dma_bd(%out0_0_1_l1_buff_0_0_3 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 2 : i32}
      %value45 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_prod_lock_0_0_3, Release, %value45)
      aie.next_bd ^bb5
    ^bb5:
      %value46 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_cons_lock_0_0_3, AcquireGreaterEqual, %value46)
      aie.dma_bd(%out0_0_1_l1_buff_1_0_3 : memref<1024xbf16> offset = 0 len = 1024) {bd_id = 3 : i32}
      %value47 = arith.constant 1 : i32
      aie.use_lock(%out0_0_1_l1_prod_lock_0_0_3, Release, %value47)
      aie.next_bd ^bb4
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @in0_0_l2(%tile_0_0, MM2S, 0)
    aie.shim_dma_allocation @out0_0_l2(%tile_0_0, S2MM, 0)
    func.func private @pointwise_1024bf16_1024bf16(memref<1024xbf16>, memref<1024xbf16>)
    aie.core(%tile_0_2) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %in0_0_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %in0_0_0_l1_slot[%c0] : memref<1xindex>
      %out0_0_0_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %out0_0_0_l1_slot[%c0] : memref<1xindex>
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %value48 = arith.constant 1 : i32
        aie.use_lock(%in0_0_0_l1_cons_0_cons_lock_0_0_2, AcquireGreaterEqual, %value48)
        %value49 = arith.constant 1 : i32
        aie.use_lock(%out0_0_0_l1_prod_lock_0_0_2, AcquireGreaterEqual, %value49)
        %1 = memref.load %in0_0_0_l1_slot[%c0] : memref<1xindex>
        %2 = scf.index_switch %1 -> memref<1024xbf16>
        case 1 {
          scf.yield %in0_0_0_l1_cons_0_buff_1_0_2 : memref<1024xbf16>
        }
        default {
          scf.yield %in0_0_0_l1_cons_0_buff_0_0_2 : memref<1024xbf16>
        }
        %3 = memref.load %out0_0_0_l1_slot[%c0] : memref<1xindex>
        %4 = scf.index_switch %3 -> memref<1024xbf16>
        case 1 {
          scf.yield %out0_0_0_l1_buff_1_0_2 : memref<1024xbf16>
        }
        default {
          scf.yield %out0_0_0_l1_buff_0_0_2 : memref<1024xbf16>
        }
        func.call @pointwise_1024bf16_1024bf16(%2, %4) : (memref<1024xbf16>, memref<1024xbf16>) -> () // 986 cycles
        %value50 = arith.constant 1 : i32
        aie.use_lock(%in0_0_0_l1_cons_0_prod_lock_0_0_2, Release, %value50)
        %5 = memref.load %in0_0_0_l1_slot[%c0] : memref<1xindex>
        %6 = arith.constant 1 : index
        %7 = arith.addi %5, %6 : index
        %8 = arith.constant 2 : index
        %9 = arith.remui %7, %8 : index
        memref.store %9, %in0_0_0_l1_slot[%c0] : memref<1xindex>
        %value51 = arith.constant 1 : i32
        aie.use_lock(%out0_0_0_l1_cons_lock_0_0_2, Release, %value51)
        %10 = memref.load %out0_0_0_l1_slot[%c0] : memref<1xindex>
        %11 = arith.constant 1 : index
        %12 = arith.addi %10, %11 : index
        %13 = arith.constant 2 : index
        %14 = arith.remui %12, %13 : index
        memref.store %14, %out0_0_0_l1_slot[%c0] : memref<1xindex>
      }
      aie.end
    }
    aie.core(%tile_0_3) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %in0_0_1_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %in0_0_1_l1_slot[%c0] : memref<1xindex>
      %out0_0_1_l1_slot = memref.alloca() : memref<1xindex>
      memref.store %c0, %out0_0_1_l1_slot[%c0] : memref<1xindex>
      %0 = arith.constant 4 : index
      scf.for %i3 = %c0 to %0 step %c1 {
        %value52 = arith.constant 1 : i32
        aie.use_lock(%in0_0_1_l1_cons_0_cons_lock_0_0_3, AcquireGreaterEqual, %value52)
        %value53 = arith.constant 1 : i32
        aie.use_lock(%out0_0_1_l1_prod_lock_0_0_3, AcquireGreaterEqual, %value53)
        %1 = memref.load %in0_0_1_l1_slot[%c0] : memref<1xindex>
        %2 = scf.index_switch %1 -> memref<1024xbf16>
        case 1 {
          scf.yield %in0_0_1_l1_cons_0_buff_1_0_3 : memref<1024xbf16>
        }
        default {
          scf.yield %in0_0_1_l1_cons_0_buff_0_0_3 : memref<1024xbf16>
        }
        %3 = memref.load %out0_0_1_l1_slot[%c0] : memref<1xindex>
        %4 = scf.index_switch %3 -> memref<1024xbf16>
        case 1 {
          scf.yield %out0_0_1_l1_buff_1_0_3 : memref<1024xbf16>
        }
        default {
          scf.yield %out0_0_1_l1_buff_0_0_3 : memref<1024xbf16>
        }
        func.call @pointwise_1024bf16_1024bf16(%2, %4) : (memref<1024xbf16>, memref<1024xbf16>) -> () // 986 cycles
        %value54 = arith.constant 1 : i32
        aie.use_lock(%in0_0_1_l1_cons_0_prod_lock_0_0_3, Release, %value54)
        %5 = memref.load %in0_0_1_l1_slot[%c0] : memref<1xindex>
        %6 = arith.constant 1 : index
        %7 = arith.addi %5, %6 : index
        %8 = arith.constant 2 : index
        %9 = arith.remui %7, %8 : index
        memref.store %9, %in0_0_1_l1_slot[%c0] : memref<1xindex>
        %value55 = arith.constant 1 : i32
        aie.use_lock(%out0_0_1_l1_cons_lock_0_0_3, Release, %value55)
        %10 = memref.load %out0_0_1_l1_slot[%c0] : memref<1xindex>
        %11 = arith.constant 1 : index
        %12 = arith.addi %10, %11 : index
        %13 = arith.constant 2 : index
        %14 = arith.remui %12, %13 : index
        memref.store %14, %out0_0_1_l1_slot[%c0] : memref<1xindex>
      }
      aie.end
    }
    aie.runtime_sequence(%in0: memref<8192xbf16>, %out0: memref<8192xbf16>) {
      aiex.npu.dma_memcpy_nd(%in0[0, 0, 0, 0][1, 1, 1, 8192][0, 0, 0, 1]) {id = 0 : i64, metadata = @in0_0_l2} : memref<8192xbf16>
      aiex.npu.dma_memcpy_nd(%out0[0, 0, 0, 0][1, 1, 1, 8192][0, 0, 0, 1]) {id = 4 : i64, issue_token = true, metadata = @out0_0_l2} : memref<8192xbf16>
      aiex.npu.dma_wait {symbol = @out0_0_l2}
    }
  }
}
