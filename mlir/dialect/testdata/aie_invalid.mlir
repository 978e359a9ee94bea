module {
  aie.device(npu2) {
  // expected-error@+1 {{'aie.tile' is in column 8 and row 0 of an array of 8 columns and 6 rows}}
    %t = aie.tile(8, 0)
  }
}
// -----
module {
  aie.device(npu2) {
  // expected-error@+1 {{'aie.tile' is in column 0 and row 6 of an array of 8 columns and 6 rows}}
    %t = aie.tile(0, 6)
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
  // expected-error@+1 {{'aie.lock' has the number 16, and a core has locks 0 to 15}}
    %l = aie.lock(%t, 16)
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 1)
  // expected-error@+1 {{'aie.lock' has the number 64, and a mem tile has locks 0 to 63}}
    %l = aie.lock(%t, 64)
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
  // expected-error@+1 {{'aie.lock' begins with 64, and locks hold 0 to 63}}
    %l = aie.lock(%t, 0) {init = 64 : i32}
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.mem(%t) {
  // expected-error@+1 {{'aie.dma_start' starts channel 2, and a core has 0 to 1 each way}}
      %0 = aie.dma_start(S2MM, 2, ^bd, ^end)
    ^bd:
      aie.dma_bd(%b : memref<4096xi32> offset = 0 len = 16)
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' has 2 sizes and 1 strides}}
      aie.dma_bd(%b : memref<4096xi32> offset = 0 len = 16 sizes = [4, 4] strides = [1])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' has 4 dimensions, and descriptors of a core have up to 3}}
      aie.dma_bd(%b : memref<4096xi32> offset = 0 len = 16 sizes = [2, 2, 2, 2] strides = [8, 4, 2, 1])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' dimension 0 has the size 256, and up to 255 words are counted on a core}}
      aie.dma_bd(%b : memref<4096xi32> offset = 0 len = 2048 sizes = [256, 8] strides = [8, 1])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 1)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.memtile_dma(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' dimension 0 has the size 1024, and up to 1023 words are counted on a mem tile}}
      aie.dma_bd(%b : memref<4096xi32> offset = 0 len = 2048 sizes = [1024, 2] strides = [2, 1])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<32768xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' dimension 0 has the stride 16384, and up to 8192 words are stepped on a core}}
      aie.dma_bd(%b : memref<32768xi32> offset = 0 len = 4 sizes = [2, 2] strides = [16384, 1])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' reaches element 4105 of 4096 of memref<4096xi32>}}
      aie.dma_bd(%b : memref<4096xi32> offset = 4090 len = 16)
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' dimension 0 has the size 0}}
      aie.dma_bd(%b : memref<4096xi32> offset = 0 len = 16 sizes = [0, 4] strides = [4, 1])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %b = aie.buffer(%t) {sym_name = "b"} : memref<4096xi32>
    %m = aie.mem(%t) {
      %0 = aie.dma_start(S2MM, 0, ^bd, ^end)
    ^bd:
  // expected-error@+1 {{'aie.dma_bd' dimension 0 has the stride 0}}
      aie.dma_bd(%b : memref<4096xi32> offset = 0 len = 16 sizes = [4, 4] strides = [0, 1])
      aie.next_bd ^end
    ^end:
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
  // expected-error@+1 {{'aie.objectfifo' holds 0 objects}}
    aie.objectfifo @i(%t0, {%t1}, 0 : i32) : !aie.objectfifo<memref<8xi32>>
  }
}
// -----
module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
    aie.objectfifo @i(%t0, {%t1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.runtime_sequence(%a: memref<2097152xi32>) {
  // expected-error@+1 {{'aiex.npu.dma_memcpy_nd' repeats 65 times, and up to 64 are counted}}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][65, 1, 1, 8][0, 0, 0, 1]) {id = 0 : i64, metadata = @i} : memref<2097152xi32>
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
    aie.objectfifo @i(%t0, {%t1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.runtime_sequence(%a: memref<2097152xi32>) {
  // expected-error@+1 {{'aiex.npu.dma_memcpy_nd' dimension 2 has the size 1024, and up to 1023 words are counted}}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1024, 8][0, 0, 8, 1]) {id = 0 : i64, metadata = @i} : memref<2097152xi32>
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
    aie.objectfifo @i(%t0, {%t1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    aie.runtime_sequence(%a: memref<2097152xi32>) {
  // expected-error@+1 {{'aiex.npu.dma_memcpy_nd' dimension 1 has the stride 2097152, and up to 1048576 words are stepped}}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 2, 4, 8][2097152, 2097152, 8, 1]) {id = 0 : i64, metadata = @i} : memref<2097152xi32>
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t0 = aie.tile(0, 0)
    %t1 = aie.tile(0, 2)
    aie.objectfifo @i(%t0, {%t1}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    %c = aie.core(%t1) {
  // expected-error@+1 {{'aie.objectfifo.acquire' takes 0 objects}}
      %0 = aie.objectfifo.acquire @i(Consume, 0) : memref<8xi32>
      aie.end
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %m = aie.mem(%t) {
  // expected-error@+1 {{'aie.dma_bd' needs a buffer}}
      "aie.dma_bd"() : () -> ()
  // expected-error@+1 {{'aie.use_lock' needs a lock and at most one value}}
      "aie.use_lock"() {action = "Release"} : () -> ()
      aie.end
    }
  // expected-error@+1 {{'aiex.npu.dma_memcpy_nd' needs memory}}
    "aiex.npu.dma_memcpy_nd"() {sizes = array<i64: 1, 1, 1, 1>, strides = array<i64: 0, 0, 0, 1>} : () -> ()
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 0)
    aie.runtime_sequence() {
  // expected-error@+1 {{'aiex.core_reset' is on the wrong tile: a interface tile has no core}}
      aiex.core_reset(%t)
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 1)
    aie.runtime_sequence() {
  // expected-error@+1 {{'aiex.dma_channel_reset' resets channel 6, and a mem tile has 0 to 5 each way}}
      aiex.dma_channel_reset(%t, S2MM, 6)
    }
  }
}
// -----
module {
  aie.device(npu2) {
    aie.runtime_sequence(%n: i32) {
  // expected-error@+1 {{'aiex.npu.write32' has 1 values, not 2}}
      aiex.npu.write32(%n) : i32
    }
  }
}
// -----
module {
  aie.device(npu2) {
    %t = aie.tile(0, 2)
    %u = aie.tile(0, 0)
    aie.objectfifo @i(%u, {%t}, 2 : i32) : !aie.objectfifo<memref<8xi32>>
    %c = aie.core(%t) {
  // expected-error@+1 {{'aie.objectfifo.buffer' is buffer 2 of @i, which has 2}}
      %x = aie.objectfifo.buffer @i (2) : memref<8xi32>
      aie.end
    }
  }
}
// -----
aie.device(npu2) {
  // expected-error@+1 {{integer out of range for i32}}
  %t = aie.tile(4294967296, 6)
}
// -----
aie.device(npu2) {
  %t = aie.tile(0, 2)
  %u = aie.tile(0, 0)
  // expected-error@+1 {{'aie.objectfifo'}}
  aie.objectfifo @i(%u, {%t}, i32) : !aie.objectfifo<memref<8xi32>>
  %c = aie.core(%t) {
    %x = aie.objectfifo.buffer @i (2) : memref<8xi32>
    aie.end
  }
}
