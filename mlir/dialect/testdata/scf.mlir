module {
  func.func @s(%arg0: index, %arg1: index, %arg2: index, %arg3: f32, %arg4: i1, %arg5: tensor<8x8xf32>, %arg6: memref<8xf32>, %arg7: i32) -> f32 {
    scf.parallel (%arg8, %arg9) = (%arg0, %arg0) to (%arg1, %arg1) step (%arg2, %arg2) {
      memref.store %arg3, %arg6[%arg8] : memref<8xf32>
      scf.reduce 
    }
    %0 = scf.parallel (%arg8) = (%arg0) to (%arg1) step (%arg2) init (%arg3) -> f32 {
      scf.reduce(%arg3 : f32) {
      ^bb0(%arg9: f32, %arg10: f32):
        %5 = arith.addf %arg9, %arg10 : f32
        scf.reduce.return %5 : f32
      }
    }
    %1 = scf.forall (%arg8, %arg9) in (8, %arg1) shared_outs(%arg10 = %arg5) -> (tensor<8x8xf32>) {
      %extracted_slice = tensor.extract_slice %arg10[%arg8, %arg9] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<1x1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %extracted_slice into %arg10[%arg8, %arg9] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<8x8xf32>
      }
    }
    scf.forall (%arg8) in (4) {
      memref.store %arg3, %arg6[%arg8] : memref<8xf32>
    } {mapping = [#gpu.block<x>]}
    scf.forall (%arg8) = (0) to (%arg1) step (2) {
      memref.store %arg3, %arg6[%arg8] : memref<8xf32>
    }
    %2 = scf.execute_region -> f32 {
      scf.yield %arg3 : f32
    }
    scf.execute_region {
      cf.br ^bb1
    ^bb1:  // pred: ^bb0
      scf.yield
    }
    %3 = scf.index_switch %arg0 -> f32 
    case 2 {
      scf.yield %arg3 : f32
    }
    case 5 {
      scf.yield %2 : f32
    }
    default {
      scf.yield %0 : f32
    }
    scf.index_switch %arg0 
    case 1 {
      scf.yield
    }
    default {
    }
    cf.switch %arg7 : i32, [
      default: ^bb1(%arg3 : f32),
      42: ^bb1(%3 : f32),
      43: ^bb2
    ]
  ^bb1(%4: f32):  // 2 preds: ^bb0, ^bb0
    return %4 : f32
  ^bb2:  // pred: ^bb0
    return %arg3 : f32
  }
  func.func @switch_of_two(%arg0: index, %arg1: f32) -> f32 {
    %0:2 = scf.index_switch %arg0 -> i32, f32 
    case 2 {
      %c1_i32 = arith.constant 1 : i32
      scf.yield %c1_i32, %arg1 : i32, f32
    }
    default {
      %c5_i32 = arith.constant 5 : i32
      scf.yield %c5_i32, %arg1 : i32, f32
    }
    return %0#1 : f32
  }
}
