internal import Geo

/// A reduction of the price in a row, as Wix writes it: a mode, and a value in percent or in the price's currency.
struct Discount: Sendable {
    let mode: String
    let value: String
    /// The columns that it was in.
    var columns: [String] = []

    enum Reduction: Equatable {
        case none, unclear
        case percent(Double)
        case amount
    }

    var reduction: Reduction {
        let plain = value.filter { !$0.isWhitespace && $0 != "%" }.replacing(",", with: ".")
        guard let number = plain.decimalNumber, number >= 0 else { return .unclear }
        if number == 0 { return .none }
        switch mode.lowercased() {
        case "percent", "percentage", "%": return number <= 100 ? .percent(number) : .unclear
        case "amount": return .amount
        default: return .unclear
        }
    }
}

extension ColumnNames {
    /// Removes the columns of a discount.
    mutating func takeDiscount() -> Discount? {
        var copy = self
        guard let mode = copy.take(["discountmode", "discount_mode", "discount_type"]),
            let value = copy.take(["discountvalue", "discount_value"])
        else { return nil }
        self = copy
        return Discount(mode: mode.text, value: value.text, columns: [mode.column, value.column])
    }
}

extension PriceReader {
    /// The price that is paid after a discount; one that is not understood does not count.
    func reduced(_ full: Reading, by discount: Discount) -> Reading {
        guard discount.reduction != .none else { return full }
        var reduced = full
        let written = "the discount '\(discount.value.shortened)' (\(discount.mode.shortened))"
        guard let price = full.price, let paid = paid(price, full.currency, discount), paid >= 0 else {
            reduced.remarks.append(Remark("price", .doubted, "\(written) does not count: it is not understood"))
            return reduced
        }
        reduced.price = paid
        reduced.remarks.append(Remark("price", .changed, "\(paid) is paid, after \(written)"))
        return reduced
    }

    private func paid(_ price: Int64, _ currency: String?, _ discount: Discount) -> Int64? {
        switch discount.reduction {
        case .none: price
        case .percent(let percent): Int64((Double(price) * (100 - percent) / 100).rounded())
        case .amount: read(discount.value, beside: currency, .named).price.map { price - $0 }
        case .unclear: nil
        }
    }
}
