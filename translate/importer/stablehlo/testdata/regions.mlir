func.func @reduce_of_two() {
  %a = stablehlo.constant dense<[[3, 1, 2], [9, 9, 4]]> : tensor<2x3xi32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %low = stablehlo.constant dense<-2147483648> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.reduce(%a init: %low), (%i init: %zero) across dimensions = [1] : (tensor<2x3xi32>, tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
   reducer(%p: tensor<i32>, %r: tensor<i32>) (%q: tensor<i32>, %s: tensor<i32>) {
    %1 = stablehlo.compare GE, %p, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.select %1, %p, %r : tensor<i1>, tensor<i32>
    %3 = stablehlo.select %1, %q, %s : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<i32>
  }
  check.expect_eq_const %0#0, dense<[3, 9]> : tensor<2xi32>
  check.expect_eq_const %0#1, dense<[0, 0]> : tensor<2xi32>
  return
}

// -----

func.func @windows() {
  %a = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>, base_dilations = array<i64: 2>, window_dilations = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<0> : tensor<4xi32>
  %1 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.maximum %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<5xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq %1, %a : tensor<5xi32>
  return
}

// -----

func.func @select_and_scatter() {
  %a = stablehlo.constant dense<[[1, 5], [2, 5], [3, 6], [4, 4]]> : tensor<4x2xi64>
  %s = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %zero) ({
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %p = stablehlo.compare GE, %x, %y : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%x: tensor<i64>, %y: tensor<i64>):
    %p = stablehlo.add %x, %y : tensor<i64>
    stablehlo.return %p : tensor<i64>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>} : (tensor<4x2xi64>, tensor<2x2xi64>, tensor<i64>) -> tensor<4x2xi64>
  check.expect_eq_const %0, dense<[[0, 0], [0, 0], [5, 14], [7, 0]]> : tensor<4x2xi64>
  return
}

// -----

func.func @gather_and_scatter() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %i = stablehlo.constant dense<[2, 0, 9]> : tensor<3xi64>
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<3x2xi32>, tensor<3xi64>) -> tensor<3x2xi32>
  check.expect_eq_const %0, dense<[[5, 6], [1, 2], [5, 6]]> : tensor<3x2xi32>
  %1 = "stablehlo.scatter"(%a, %i, %0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3x2xi32>, tensor<3xi64>, tensor<3x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %1, dense<[[2, 4], [3, 4], [10, 12]]> : tensor<3x2xi32>
  return
}

// -----

func.func @sort_by_two_keys() {
  %a = stablehlo.constant dense<[2, 1, 2, 1]> : tensor<4xi32>
  %b = stablehlo.constant dense<[5.0, 7.0, 4.0, 6.0]> : tensor<4xf32>
  %c = stablehlo.iota dim = 0 : tensor<4xi64>
  %0:3 = "stablehlo.sort"(%a, %b, %c) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>, %r: tensor<f32>, %s: tensor<f32>, %t: tensor<i64>, %u: tensor<i64>):
    %1 = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare LT, %r, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.and %2, %3 : tensor<i1>
    %5 = stablehlo.or %1, %4 : tensor<i1>
    stablehlo.return %5 : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xf32>, tensor<4xi64>) -> (tensor<4xi32>, tensor<4xf32>, tensor<4xi64>)
  check.expect_eq_const %0#0, dense<[1, 1, 2, 2]> : tensor<4xi32>
  check.expect_eq_const %0#1, dense<[6.0, 7.0, 4.0, 5.0]> : tensor<4xf32>
  check.expect_eq_const %0#2, dense<[3, 1, 2, 0]> : tensor<4xi64>
  return
}

// -----

func.func @sort_descending() {
  %a = stablehlo.constant dense<[200, 3, 255, 3]> : tensor<4xui8>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<ui8>, %q: tensor<ui8>, %r: tensor<i32>, %s: tensor<i32>):
    %1 = stablehlo.compare GT, %p, %q : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xui8>, tensor<4xi32>) -> (tensor<4xui8>, tensor<4xi32>)
  check.expect_eq_const %0#0, dense<[255, 200, 3, 3]> : tensor<4xui8>
  check.expect_eq_const %0#1, dense<[2, 0, 1, 3]> : tensor<4xi32>
  return
}

// -----

func.func @map() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %k = stablehlo.constant dense<10> : tensor<i32>
  %0 = "stablehlo.map"(%a, %a) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.multiply %x, %y : tensor<i32>
    %2 = stablehlo.add %1, %k : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %0, dense<[11, 14]> : tensor<2xi32>
  return
}

// -----

func.func @control() {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r:2 = stablehlo.while(%a = %x, %i = %zero) : tensor<2xf32>, tensor<i64>
   cond {
    %n = stablehlo.constant dense<3> : tensor<i64>
    %p = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %j = stablehlo.add %i, %one : tensor<i64>
    %b = stablehlo.add %a, %x : tensor<2xf32>
    stablehlo.return %b, %j : tensor<2xf32>, tensor<i64>
  }
  check.expect_eq_const %r#0, dense<[4.0, 8.0]> : tensor<2xf32>
  %k = stablehlo.constant dense<7> : tensor<i32>
  %c = "stablehlo.case"(%k) ({
    stablehlo.return %x : tensor<2xf32>
  }, {
    %y = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %y : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  check.expect_eq_const %c, dense<[-1.0, -2.0]> : tensor<2xf32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %d = "stablehlo.if"(%yes) ({
    stablehlo.return %r#0 : tensor<2xf32>
  }, {
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  check.expect_eq %d, %r#0 : tensor<2xf32>
  return
}

// -----

func.func @scatter_with_a_region() {
  %a = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<[[2], [0], [2], [5]]> : tensor<4x1xi64>
  %u = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %s = stablehlo.subtract %y, %x : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<3xi32>, tensor<4x1xi64>, tensor<4xi32>) -> tensor<3xi32>
  check.expect_eq_const %0, dense<[19, 2, 23]> : tensor<3xi32>
  return
}

// -----

func.func @scatter_of_bools() {
  %a = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %i = stablehlo.constant dense<[[0], [1], [2]]> : tensor<3x1xi64>
  %u = stablehlo.constant dense<[false, true, false]> : tensor<3xi1>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %s = stablehlo.or %x, %y : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<3xi1>, tensor<3x1xi64>, tensor<3xi1>) -> tensor<3xi1>
  check.expect_eq_const %0, dense<[true, true, true]> : tensor<3xi1>
  %1 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %s = stablehlo.and %x, %y : tensor<i1>
    stablehlo.return %s : tensor<i1>
  }) : (tensor<3xi1>, tensor<3x1xi64>, tensor<3xi1>) -> tensor<3xi1>
  check.expect_eq_const %1, dense<[false, false, false]> : tensor<3xi1>
  return
}
