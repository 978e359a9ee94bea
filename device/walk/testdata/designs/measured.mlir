// What a core does is recorded, and the host computes lengths, repeats and descriptors.
module {
  aie.device(npu2) {
    %core = aie.tile(0, 2)
    %host = aie.tile(0, 0)
    aie.objectfifo @in(%host, {%core}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.objectfifo @out(%core, {%host}, 2 : i32) : !aie.objectfifo<memref<16xi32>>
    aie.trace @record(%core) {
      aie.trace.mode "Event-Time"
      aie.trace.packet id = 3 type = core
      aie.trace.event<"LOCK_STALL">
      aie.trace.port<0> port = DMA channel = 0 direction = S2MM
      aie.trace.start broadcast = 15
      aie.trace.stop event = <"BROADCAST_14">
    }
    aie.core(%core) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      scf.for %turn = %c0 to %c4 step %c1 {
        %x = aie.objectfifo.acquire @in(Consume, 1) : memref<16xi32>
        %y = aie.objectfifo.acquire @out(Produce, 1) : memref<16xi32>
        scf.for %k = %c0 to %c16 step %c1 {
          %a = memref.load %x[%k] : memref<16xi32>
          %b = arith.addi %a, %a : i32
          memref.store %b, %y[%k] : memref<16xi32>
        }
        aie.objectfifo.release @in(Consume, 1)
        aie.objectfifo.release @out(Produce, 1)
      }
      aie.end
    }
    aie.runtime_sequence @sequence(%a: memref<64xi32>, %b: memref<64xi32>) {
      aie.trace.host_config buffer_size = 8192
      aie.trace.start_config @record
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %n = arith.constant 4 : i64
      %len = arith.constant 64 : i32
      %once = arith.constant 0 : i32
      %whole = arith.cmpi ule, %n, %n : i64
      aiex.npu.require(%whole) {message = "whole pieces"} : i1
      %d = aiex.dma_bd_pool_pop(0, 0) partition [0, 16) : i32
      %0 = aiex.dma_configure_task_for @out repeat %once : i32 {
        aie.dma_bd(%b : memref<64xi32> offset = 0 len = %len sizes = [1, 1, %n, 16] strides = [0, 0, 16, 1]) bd_id_val %d : i32
        aie.end
      } {issue_token = true}
      aiex.dma_start_task(%0)
      scf.for %i = %c0 to %c4 step %c1 {
        %i32 = arith.index_cast %i : index to i32
        %c16 = arith.constant 16 : i32
        %at = arith.muli %i32, %c16 : i32
        %t = aiex.dma_configure_task_for @in {
          aie.dma_bd(%a : memref<64xi32> offset = %at len = 16)
          aie.end
        }
        aiex.dma_start_task(%t)
        aiex.dma_free_task(%t)
      }
      aiex.dma_await_task(%0)
      aiex.dma_bd_pool_push(0, 0) partition [0, 16) bd_id %d : i32
    }
  }
}
