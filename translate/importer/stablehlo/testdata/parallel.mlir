module @sums {
  func.func @program(%x: tensor<2xf32>) -> tensor<4xf32> {
    %r = stablehlo.replica_id : tensor<ui32>
    %f = stablehlo.convert %r : (tensor<ui32>) -> tensor<f32>
    %b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %0 = stablehlo.multiply %x, %b : tensor<2xf32>
    %1 = "stablehlo.all_reduce"(%0) ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %s = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = call @twice(%1) : (tensor<2xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @twice(%x: tensor<2xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[2, 0], [1, 3]]> : tensor<2x2xi64>}
      : (tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
  func.func private @other(%x: tensor<2xf32>) -> tensor<4xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.pad %x, %z, low = [0], high = [2], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>):
      %s = stablehlo.add %a, %c : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<4xf32>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
    %y = stablehlo.constant dense<[3.0, 5.0]> : tensor<2xf32>
    %r:3 = "interpreter.run_parallel"(%x, %y, %x) {programs = [[@program], [@other], [@program]]}
      : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    check.expect_eq_const %r#0, dense<[5.0, 9.0, 5.0, 9.0]> : tensor<4xf32>
    check.expect_eq_const %r#1, dense<[3.0, 5.0, 0.0, 0.0]> : tensor<4xf32>
    return
  }
}

// -----

module @exchanges {
  func.func @program(%x: tensor<2x2xi32>) -> (tensor<4x1xi32>, tensor<1x2xi32>, tensor<2x2xi32>) {
    %0 = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>}
      : (tensor<2x2xi32>) -> tensor<4x1xi32>
    %1 = "stablehlo.reduce_scatter"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %m = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %m : tensor<i32>
    }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids,
      channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>} : (tensor<2x2xi32>) -> tensor<1x2xi32>
    %2 = "stablehlo.collective_permute"(%x) {source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>} : (tensor<2x2xi32>) -> tensor<2x2xi32>
    return %0, %1, %2 : tensor<4x1xi32>, tensor<1x2xi32>, tensor<2x2xi32>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
    %y = stablehlo.constant dense<[[5, 0], [0, 8]]> : tensor<2x2xi32>
    %r:6 = "interpreter.run_parallel"(%x, %y) {programs = [[@program, @program]]}
      : (tensor<2x2xi32>, tensor<2x2xi32>) -> (tensor<4x1xi32>, tensor<1x2xi32>, tensor<2x2xi32>,
         tensor<4x1xi32>, tensor<1x2xi32>, tensor<2x2xi32>)
    check.expect_eq_const %r#0, dense<[[1], [3], [5], [0]]> : tensor<4x1xi32>
    check.expect_eq_const %r#1, dense<[[5, 2]]> : tensor<1x2xi32>
    check.expect_eq_const %r#2, dense<[[5, 0], [0, 8]]> : tensor<2x2xi32>
    check.expect_eq_const %r#3, dense<[[2], [4], [0], [8]]> : tensor<4x1xi32>
    check.expect_eq_const %r#4, dense<[[3, 8]]> : tensor<1x2xi32>
    check.expect_eq_const %r#5, dense<0> : tensor<2x2xi32>
    return
  }
}

// -----

module @messages {
  func.func @sender(%x: tensor<2xi32>, %t: !stablehlo.token) -> !stablehlo.token {
    %fed:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    %s = stablehlo.add %x, %fed#0 : tensor<2xi32>
    %done = "stablehlo.send"(%s, %fed#1) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 2>}
      : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
    %all = stablehlo.after_all %t, %done : !stablehlo.token
    return %all : !stablehlo.token
  }
  func.func @receiver(%t: !stablehlo.token) -> tensor<2xi32> {
    %r:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 7, type = 3>}
      : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    return %r#0 : tensor<2xi32>
  }
  func.func @feed() -> tensor<2xi32> {
    %x = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
    return %x : tensor<2xi32>
  }
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %r:2 = "interpreter.run_parallel"(%t, %x, %t) {infeed = [@feed], programs = [[@receiver], [@sender]]}
      : (!stablehlo.token, tensor<2xi32>, !stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    check.expect_eq_const %r#0, dense<[11, 22]> : tensor<2xi32>
    return
  }
}

// -----

func.func @scans() {
  %x = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %0:2 = chlo.scan(%x) inits(%i) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xi32>, %s: tensor<2xi32>):
    %n = stablehlo.add %a, %s : tensor<2xi32>
    %d = stablehlo.subtract %n, %i : tensor<2xi32>
    stablehlo.return %d, %n : tensor<2xi32>, tensor<2xi32>
  } : (tensor<3x2xi32>, tensor<2xi32>) -> (tensor<3x2xi32>, tensor<2xi32>)
  check.expect_eq_const %0#0, dense<[[9, 12], [8, 10], [5, 6]]> : tensor<3x2xi32>
  check.expect_eq_const %0#1, dense<[19, 32]> : tensor<2xi32>
  return
}

// -----

func.func @ragged_products() {
  %x = stablehlo.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %y = stablehlo.constant dense<[[[10.0, 1.0]], [[100.0, 2.0]]]> : tensor<2x1x2xf32>
  %n = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [],
    rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<3x1xf32>, tensor<2x1x2xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[10.0, 1.0], [20.0, 2.0], [300.0, 6.0]]> : tensor<3x2xf32>
  %1 = "chlo.ragged_dot"(%x, %x, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [],
    rhs_batching_dimensions = [], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}
    : (tensor<3x1xf32>, tensor<3x1xf32>, tensor<2xi32>) -> tensor<2x1x1xf32>
  check.expect_eq_const %1, dense<[[[5.0]], [[9.0]]]> : tensor<2x1x1xf32>
  return
}

// -----

func.func @probes() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %y = stablehlo.add %x, %x : tensor<2xi64>
  %z = interpreter.probe %y, probe_id = "sum" : tensor<2xi64>
  check.expect_serialized_eq %y, probe_id = "sum", iter = 0 : tensor<2xi64>
  check.expect_eq_const %z, dense<[2, 4]> : tensor<2xi64>
  return
}

// -----

module @places {
  func.func @program(%x: tensor<1xi32>, %z: tensor<1xcomplex<f32>>, %t: !stablehlo.token)
      -> (tensor<1xi32>, tensor<1xi32>, tensor<1xcomplex<f32>>, tensor<1xi32>, tensor<ui32>) {
    %p = stablehlo.partition_id : tensor<ui32>
    %i = stablehlo.convert %p : (tensor<ui32>) -> tensor<i32>
    %q = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.add %x, %q : tensor<1xi32>
    %sent = "stablehlo.outfeed"(%s, %t) : (tensor<1xi32>, !stablehlo.token) -> !stablehlo.token
    %0 = "stablehlo.collective_broadcast"(%s) {replica_groups = dense<[[1]]> : tensor<1x1xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<1xi32>) -> tensor<1xi32>
    %1 = "stablehlo.collective_broadcast"(%z) {replica_groups = dense<[[1]]> : tensor<1x1xi64>,
      channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>} : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
    %2 = stablehlo.composite "a.twice" %s {decomposition = @twice} : (tensor<1xi32>) -> tensor<1xi32>
    %r = stablehlo.replica_id : tensor<ui32>
    return %s, %0, %1, %2, %r : tensor<1xi32>, tensor<1xi32>, tensor<1xcomplex<f32>>, tensor<1xi32>, tensor<ui32>
  }
  func.func private @twice(%x: tensor<1xi32>) -> tensor<1xi32> {
    %0 = stablehlo.add %x, %x : tensor<1xi32>
    return %0 : tensor<1xi32>
  }
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %x = stablehlo.constant dense<10> : tensor<1xi32>
    %z = stablehlo.constant dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
    %r:10 = "interpreter.run_parallel"(%x, %z, %t, %x, %z, %t) {programs = [[@program, @program]]}
      : (tensor<1xi32>, tensor<1xcomplex<f32>>, !stablehlo.token, tensor<1xi32>, tensor<1xcomplex<f32>>, !stablehlo.token)
      -> (tensor<1xi32>, tensor<1xi32>, tensor<1xcomplex<f32>>, tensor<1xi32>, tensor<ui32>,
          tensor<1xi32>, tensor<1xi32>, tensor<1xcomplex<f32>>, tensor<1xi32>, tensor<ui32>)
    check.expect_eq_const %r#0, dense<10> : tensor<1xi32>
    check.expect_eq_const %r#1, dense<0> : tensor<1xi32>
    check.expect_eq_const %r#2, dense<(0.0, 0.0)> : tensor<1xcomplex<f32>>
    check.expect_eq_const %r#3, dense<20> : tensor<1xi32>
    check.expect_eq_const %r#4, dense<0> : tensor<ui32>
    check.expect_eq_const %r#5, dense<11> : tensor<1xi32>
    check.expect_eq_const %r#6, dense<11> : tensor<1xi32>
    check.expect_eq_const %r#7, dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
    check.expect_eq_const %r#8, dense<22> : tensor<1xi32>
    check.expect_eq_const %r#9, dense<0> : tensor<ui32>
    return
  }
}

// -----

module @feeds {
  func.func @program(%t: !stablehlo.token) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
    %a:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    %b:2 = "stablehlo.infeed"(%a#1) : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
    %0 = "stablehlo.collective_permute"(%a#0) {source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}
      : (tensor<2xi32>) -> tensor<2xi32>
    return %a#0, %b#0, %0 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
  }
  func.func @one() -> tensor<2xi32> {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    return %x : tensor<2xi32>
  }
  func.func @two() -> tensor<2xi32> {
    %x = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
    return %x : tensor<2xi32>
  }
  func.func @main() {
    %t = stablehlo.create_token : !stablehlo.token
    %r:9 = "interpreter.run_parallel"(%t, %t, %t) {infeed = [@one, @two, @two, @one, @one, @two], programs = [[@program], [@program], [@program]]}
      : (!stablehlo.token, !stablehlo.token, !stablehlo.token) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
         tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[3, 4]> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<[3, 4]> : tensor<2xi32>
    check.expect_eq_const %r#4, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#5, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#6, dense<[1, 2]> : tensor<2xi32>
    check.expect_eq_const %r#7, dense<[3, 4]> : tensor<2xi32>
    check.expect_eq_const %r#8, dense<[3, 4]> : tensor<2xi32>
    return
  }
}

// -----

func.func @more_ragged_products() {
  %x = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]]]> : tensor<1x2x2xf32>
  %y = stablehlo.constant dense<[[[[10.0], [1.0]]], [[[100.0], [2.0]]]]> : tensor<2x1x2x1xf32>
  %n = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0],
    rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2],
    lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}
    : (tensor<1x2x2xf32>, tensor<2x1x2x1xf32>, tensor<2xi64>) -> tensor<1x2x1xf32>
  check.expect_eq_const %0, dense<[[[12.0], [308.0]]]> : tensor<1x2x1xf32>
  %z = stablehlo.constant dense<[[[10.0], [1.0]]]> : tensor<1x2x1xf32>
  %1 = "chlo.ragged_dot"(%x, %z, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0],
    rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = []>}
    : (tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<2xi64>) -> tensor<1x2x1xf32>
  check.expect_eq_const %1, dense<[[[12.0], [34.0]]]> : tensor<1x2x1xf32>
  %none = stablehlo.constant dense<> : tensor<0xi64>
  %no = stablehlo.constant dense<> : tensor<0x2x1xf32>
  %rows = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %2 = "chlo.ragged_dot"(%rows, %no, %none) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [],
    rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1],
    lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<1x2xf32>, tensor<0x2x1xf32>, tensor<0xi64>) -> tensor<1x1xf32>
  check.expect_eq_const %2, dense<0.0> : tensor<1x1xf32>
  return
}

// -----

func.func @probes_of_a_loop() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %y = interpreter.probe %x, probe_id = "sum" : tensor<2xi64>
  %z = stablehlo.add %y, %y : tensor<2xi64>
  %w = interpreter.probe %z, probe_id = "sum" : tensor<2xi64>
  check.expect_serialized_eq %x, probe_id = "sum", iter = 0 : tensor<2xi64>
  check.expect_serialized_eq %z, probe_id = "sum", iter = 1 : tensor<2xi64>
  return
}

// -----

module @sums_at_roots {
  func.func @program(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi8>) {
    %0 = "stablehlo.collective_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %c: tensor<i32>):
      %s = stablehlo.add %a, %c : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {replica_groups = dense<[[2, 0]]> : tensor<1x2xi64>} : (tensor<2xi32>) -> tensor<2xi32>
    %f = stablehlo.convert %x : (tensor<2xi32>) -> tensor<2xf32>
    %q = stablehlo.uniform_quantize %f : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %1 = "stablehlo.collective_broadcast"(%q) {replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}
      : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %2 = stablehlo.bitcast_convert %1 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xi8>
    return %0, %2 : tensor<2xi32>, tensor<2xi8>
  }
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %y = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
    %z = stablehlo.constant dense<[30, 5]> : tensor<2xi32>
    %r:6 = "interpreter.run_parallel"(%x, %y, %z) {programs = [[@program], [@program], [@program]]}
      : (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<2xi32>, tensor<2xi8>)
    check.expect_eq_const %r#0, dense<0> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[5, 7]> : tensor<2xi8>
    check.expect_eq_const %r#2, dense<0> : tensor<2xi32>
    check.expect_eq_const %r#3, dense<3> : tensor<2xi8>
    check.expect_eq_const %r#4, dense<[31, 7]> : tensor<2xi32>
    check.expect_eq_const %r#5, dense<[5, 7]> : tensor<2xi8>
    return
  }
}

// -----

func.func @real_and_complex_products() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %z = stablehlo.constant dense<[(1.0, -1.0), (0.0, 2.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.dot_general %x, %z, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %0, dense<[(1.0, 3.0), (3.0, 5.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.dot_general %z, %x, contracting_dims = [0] x [0] : (tensor<2xcomplex<f32>>, tensor<2x2xf32>) -> tensor<2xcomplex<f32>>
  check.expect_eq_const %1, dense<[(1.0, 5.0), (2.0, 6.0)]> : tensor<2xcomplex<f32>>
  return
}
