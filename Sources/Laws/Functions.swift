private import Glibc

/// The functions of the C library by the names they have in mathematics.
extension Double {
    static func log(_ x: Double) -> Double { Glibc.log(x) }
    static func exp(_ x: Double) -> Double { Glibc.exp(x) }
    static func sin(_ x: Double) -> Double { Glibc.sin(x) }
    static func cos(_ x: Double) -> Double { Glibc.cos(x) }
    static func asin(_ x: Double) -> Double { Glibc.asin(x) }
    static func pow(_ x: Double, _ y: Double) -> Double { Glibc.pow(x, y) }
}
