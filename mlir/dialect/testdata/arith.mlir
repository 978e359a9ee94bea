module {
  func.func @floats(%arg0: f32, %arg1: f32, %arg2: tensor<2x?xf32>, %arg3: vector<4xf64>, %arg4: f16, %arg5: bf16) {
    %0 = arith.addf %arg0, %arg1 : f32
    %1 = arith.addf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %2 = arith.addf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %3 = arith.subf %arg0, %arg1 : f32
    %4 = arith.subf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %5 = arith.subf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %6 = arith.mulf %arg0, %arg1 : f32
    %7 = arith.mulf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %8 = arith.mulf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %9 = arith.divf %arg0, %arg1 : f32
    %10 = arith.divf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %11 = arith.divf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %12 = arith.remf %arg0, %arg1 : f32
    %13 = arith.remf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %14 = arith.remf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %15 = arith.maximumf %arg0, %arg1 : f32
    %16 = arith.maximumf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %17 = arith.maximumf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %18 = arith.minimumf %arg0, %arg1 : f32
    %19 = arith.minimumf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %20 = arith.minimumf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %21 = arith.maxnumf %arg0, %arg1 : f32
    %22 = arith.maxnumf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %23 = arith.maxnumf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %24 = arith.minnumf %arg0, %arg1 : f32
    %25 = arith.minnumf %arg2, %arg2 fastmath<reassoc,nnan> : tensor<2x?xf32>
    %26 = arith.minnumf %arg3, %arg3 {tag = "a"} : vector<4xf64>
    %27 = arith.negf %arg0 : f32
    %28 = arith.negf %arg2 fastmath<fast> : tensor<2x?xf32>
    %29 = arith.cmpf false, %arg0, %arg1 : f32
    %30 = arith.cmpf oeq, %arg0, %arg1 : f32
    %31 = arith.cmpf ogt, %arg0, %arg1 : f32
    %32 = arith.cmpf oge, %arg0, %arg1 : f32
    %33 = arith.cmpf olt, %arg0, %arg1 : f32
    %34 = arith.cmpf ole, %arg0, %arg1 : f32
    %35 = arith.cmpf one, %arg0, %arg1 : f32
    %36 = arith.cmpf ord, %arg0, %arg1 : f32
    %37 = arith.cmpf ueq, %arg0, %arg1 : f32
    %38 = arith.cmpf ugt, %arg0, %arg1 : f32
    %39 = arith.cmpf uge, %arg0, %arg1 : f32
    %40 = arith.cmpf ult, %arg0, %arg1 : f32
    %41 = arith.cmpf ule, %arg0, %arg1 : f32
    %42 = arith.cmpf une, %arg0, %arg1 : f32
    %43 = arith.cmpf uno, %arg0, %arg1 : f32
    %44 = arith.cmpf true, %arg0, %arg1 : f32
    %45 = arith.cmpf oeq, %arg2, %arg2 fastmath<nnan> : tensor<2x?xf32>
    return
  }
  func.func @ints(%arg0: i32, %arg1: i32, %arg2: tensor<4xi64>, %arg3: index, %arg4: i1, %arg5: tensor<4xi1>, %arg6: f32, %arg7: f16, %arg8: f64, %arg9: i8) {
    %0 = arith.addi %arg0, %arg1 : i32
    %1 = arith.addi %arg2, %arg2 {tag} : tensor<4xi64>
    %2 = arith.addi %arg3, %arg3 : index
    %3 = arith.subi %arg0, %arg1 : i32
    %4 = arith.subi %arg2, %arg2 {tag} : tensor<4xi64>
    %5 = arith.subi %arg3, %arg3 : index
    %6 = arith.muli %arg0, %arg1 : i32
    %7 = arith.muli %arg2, %arg2 {tag} : tensor<4xi64>
    %8 = arith.muli %arg3, %arg3 : index
    %9 = arith.shli %arg0, %arg1 : i32
    %10 = arith.shli %arg2, %arg2 {tag} : tensor<4xi64>
    %11 = arith.shli %arg3, %arg3 : index
    %12 = arith.divsi %arg0, %arg1 : i32
    %13 = arith.divsi %arg2, %arg2 {tag} : tensor<4xi64>
    %14 = arith.divsi %arg3, %arg3 : index
    %15 = arith.divui %arg0, %arg1 : i32
    %16 = arith.divui %arg2, %arg2 {tag} : tensor<4xi64>
    %17 = arith.divui %arg3, %arg3 : index
    %18 = arith.ceildivsi %arg0, %arg1 : i32
    %19 = arith.ceildivsi %arg2, %arg2 {tag} : tensor<4xi64>
    %20 = arith.ceildivsi %arg3, %arg3 : index
    %21 = arith.ceildivui %arg0, %arg1 : i32
    %22 = arith.ceildivui %arg2, %arg2 {tag} : tensor<4xi64>
    %23 = arith.ceildivui %arg3, %arg3 : index
    %24 = arith.floordivsi %arg0, %arg1 : i32
    %25 = arith.floordivsi %arg2, %arg2 {tag} : tensor<4xi64>
    %26 = arith.floordivsi %arg3, %arg3 : index
    %27 = arith.remsi %arg0, %arg1 : i32
    %28 = arith.remsi %arg2, %arg2 {tag} : tensor<4xi64>
    %29 = arith.remsi %arg3, %arg3 : index
    %30 = arith.remui %arg0, %arg1 : i32
    %31 = arith.remui %arg2, %arg2 {tag} : tensor<4xi64>
    %32 = arith.remui %arg3, %arg3 : index
    %33 = arith.andi %arg0, %arg1 : i32
    %34 = arith.andi %arg2, %arg2 {tag} : tensor<4xi64>
    %35 = arith.andi %arg3, %arg3 : index
    %36 = arith.ori %arg0, %arg1 : i32
    %37 = arith.ori %arg2, %arg2 {tag} : tensor<4xi64>
    %38 = arith.ori %arg3, %arg3 : index
    %39 = arith.xori %arg0, %arg1 : i32
    %40 = arith.xori %arg2, %arg2 {tag} : tensor<4xi64>
    %41 = arith.xori %arg3, %arg3 : index
    %42 = arith.shrsi %arg0, %arg1 : i32
    %43 = arith.shrsi %arg2, %arg2 {tag} : tensor<4xi64>
    %44 = arith.shrsi %arg3, %arg3 : index
    %45 = arith.shrui %arg0, %arg1 : i32
    %46 = arith.shrui %arg2, %arg2 {tag} : tensor<4xi64>
    %47 = arith.shrui %arg3, %arg3 : index
    %48 = arith.maxsi %arg0, %arg1 : i32
    %49 = arith.maxsi %arg2, %arg2 {tag} : tensor<4xi64>
    %50 = arith.maxsi %arg3, %arg3 : index
    %51 = arith.maxui %arg0, %arg1 : i32
    %52 = arith.maxui %arg2, %arg2 {tag} : tensor<4xi64>
    %53 = arith.maxui %arg3, %arg3 : index
    %54 = arith.minsi %arg0, %arg1 : i32
    %55 = arith.minsi %arg2, %arg2 {tag} : tensor<4xi64>
    %56 = arith.minsi %arg3, %arg3 : index
    %57 = arith.minui %arg0, %arg1 : i32
    %58 = arith.minui %arg2, %arg2 {tag} : tensor<4xi64>
    %59 = arith.minui %arg3, %arg3 : index
    %60 = arith.addi %arg0, %arg1 overflow<nsw, nuw> : i32
    %61 = arith.subi %arg0, %arg1 overflow<nsw, nuw> : i32
    %62 = arith.muli %arg0, %arg1 overflow<nsw, nuw> : i32
    %63 = arith.shli %arg0, %arg1 overflow<nsw, nuw> : i32
    %64 = arith.cmpi eq, %arg0, %arg1 : i32
    %65 = arith.cmpi eq, %arg2, %arg2 : tensor<4xi64>
    %66 = arith.cmpi ne, %arg0, %arg1 : i32
    %67 = arith.cmpi ne, %arg2, %arg2 : tensor<4xi64>
    %68 = arith.cmpi slt, %arg0, %arg1 : i32
    %69 = arith.cmpi slt, %arg2, %arg2 : tensor<4xi64>
    %70 = arith.cmpi sle, %arg0, %arg1 : i32
    %71 = arith.cmpi sle, %arg2, %arg2 : tensor<4xi64>
    %72 = arith.cmpi sgt, %arg0, %arg1 : i32
    %73 = arith.cmpi sgt, %arg2, %arg2 : tensor<4xi64>
    %74 = arith.cmpi sge, %arg0, %arg1 : i32
    %75 = arith.cmpi sge, %arg2, %arg2 : tensor<4xi64>
    %76 = arith.cmpi ult, %arg0, %arg1 : i32
    %77 = arith.cmpi ult, %arg2, %arg2 : tensor<4xi64>
    %78 = arith.cmpi ule, %arg0, %arg1 : i32
    %79 = arith.cmpi ule, %arg2, %arg2 : tensor<4xi64>
    %80 = arith.cmpi ugt, %arg0, %arg1 : i32
    %81 = arith.cmpi ugt, %arg2, %arg2 : tensor<4xi64>
    %82 = arith.cmpi uge, %arg0, %arg1 : i32
    %83 = arith.cmpi uge, %arg2, %arg2 : tensor<4xi64>
    %low, %high = arith.mulsi_extended %arg0, %arg1 : i32
    %low_0, %high_1 = arith.mului_extended %arg2, %arg2 : tensor<4xi64>
    %sum, %overflow = arith.addui_extended %arg0, %arg1 : i32, i1
    %sum_2, %overflow_3 = arith.addui_extended %arg2, %arg2 : tensor<4xi64>, tensor<4xi1>
    %84 = arith.select %arg4, %arg0, %arg1 : i32
    %85 = arith.select %arg5, %arg2, %arg2 : tensor<4xi1>, tensor<4xi64>
    %86 = arith.select %arg4, %arg2, %arg2 : tensor<4xi64>
    %87 = arith.extf %arg7 : f16 to f32
    %88 = arith.truncf %arg8 : f64 to f32
    %89 = arith.truncf %arg8 toward_zero : f64 to f16
    %90 = arith.extsi %arg9 : i8 to i64
    %91 = arith.extui %arg4 : i1 to i32
    %92 = arith.trunci %arg0 : i32 to i8
    %93 = arith.sitofp %arg2 : tensor<4xi64> to tensor<4xf16>
    %94 = arith.uitofp %arg0 : i32 to f64
    %95 = arith.fptosi %arg6 : f32 to i16
    %96 = arith.fptoui %arg6 : f32 to i8
    %97 = arith.index_cast %arg2 : tensor<4xi64> to tensor<4xindex>
    %98 = arith.index_castui %arg3 : index to i32
    %99 = arith.bitcast %arg6 : f32 to i32
    %100 = arith.bitcast %arg7 {tag = 1 : i8} : f16 to bf16
    return
  }
  func.func @constants() {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0x7FC00000 : f32
    %cst_1 = arith.constant 0x7F800000 : f32
    %cst_2 = arith.constant -0.000000e+00 : f64
    %cst_3 = arith.constant 9.99999974E-6 : f32
    %cst_4 = arith.constant 3.1415926535897931 : f64
    %cst_5 = arith.constant 9.997550e-02 : f16
    %cst_6 = arith.constant 0x4B800000 : f32
    %cst_7 = arith.constant 1.000000e+10 : f32
    %cst_8 = arith.constant 1.401300e-45 : f32
    %cst_9 = arith.constant 1.234560e+05 : f64
    %cst_10 = arith.constant 0x4132D68700000000 : f64
    %cst_11 = arith.constant 0.333333343 : f32
    %cst_12 = arith.constant 1.000000e+02 : bf16
    %cst_13 = arith.constant 6.550400e+04 : f16
    %true = arith.constant true
    %false = arith.constant false
    %c-7_i8 = arith.constant -7 : i8
    %c9223372036854775807_i64 = arith.constant 9223372036854775807 : i64
    %c5 = arith.constant 5 : index
    %cst_14 = arith.constant dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>
    %cst_15 = arith.constant dense<[true, false, true]> : tensor<3xi1>
    %cst_16 = arith.constant dense<1.500000e+00> : vector<4xf16>
    %cst_17 = arith.constant dense<[1.000000e+00, 0x7F800000, 0xFF800000, 1.000000e-01]> : tensor<4xf32>
    %cst_18 = arith.constant dense<[0.000000e+00, -1.000000e+00]> : tensor<2xf32>
    %cst_19 = arith.constant dense<> : tensor<0xf32>
    %cst_20 = arith.constant dense<> : tensor<2x0xi8>
    %cst_21 = arith.constant dense<7> : tensor<i64>
    %cst_22 = arith.constant dense<[1, 2, 3]> : tensor<3xindex>
    %c-1_i8 = arith.constant {tag = "x"} -1 : i8
    %cst_23 = arith.constant 1.000000e+100 : f64
    %cst_24 = arith.constant 2.2250738585072009E-308 : f64
    %cst_25 = arith.constant 4.480000e+02 : f8E4M3FN
    %cst_26 = arith.constant 3.125000e-01 : f8E5M2
    %cst_27 = arith.constant dense<[[[1], [2]]]> : tensor<1x2x1xi4>
    %cst_28 = arith.constant dense<[1.000980e-01, 2.001950e-01]> : tensor<2xbf16>
    %cst_29 = arith.constant dense<[200, 1]> : tensor<2xui8>
    %cst_30 = arith.constant dense<-7> : tensor<si16>
    return
  }
  func.func @rounded(%arg0: f32, %arg1: tensor<4xf32>, %arg2: memref<?xi32>) {
    %0 = arith.truncf %arg0 to_nearest_even fastmath<contract> : f32 to bf16
    %1 = arith.truncf %arg1 fastmath<fast> : tensor<4xf32> to tensor<4xbf16>
    %2 = arith.extf %arg0 fastmath<contract> : f32 to f64
    %3 = arith.truncf %arg0 downward {x} : f32 to bf16
    %4 = arith.index_cast %arg2 : memref<?xi32> to memref<?xindex>
    return
  }
}
